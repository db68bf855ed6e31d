import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyTheme } from './theme.ts'

applyTheme()
const page = document.getElementById('page')
if (!page) throw new Error('Cannot show the page: it has no place for it')
createRoot(page, {
  // A page that broke says so; an empty one would leave its reader guessing.
  onUncaughtError(error) {
    console.error(error)
    page.textContent = 'This page broke. Load it again; if it breaks again, please tell whoever runs this server.'
  },
}).render(<App />)
