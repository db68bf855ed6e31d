import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const page = document.getElementById('page')
if (!page) throw new Error('Cannot show the page: it has no place for it')
createRoot(page).render(<App />)
