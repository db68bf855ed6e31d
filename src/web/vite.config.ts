import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const src = `${import.meta.dirname}/..`

// A default export, because that is where vite looks for its configuration.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  resolve: { alias: [{ find: /^#(contract|kit|web)\//, replacement: `${src}/$1/` }] },
  build: {
    outDir: `${src}/../dist/web`,
    emptyOutDir: true,
    // The pages are served with `default-src 'self'`, which refuses data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
