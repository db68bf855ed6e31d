import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const src = `${import.meta.dirname}/..`

// A default export, because that is where vite looks for its configuration.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  resolve: {
    alias: [
      { find: /^#(contract|kit|web)\//, replacement: `${src}/$1/` },
      { find: /^typebox$/, replacement: `${src}/web/no-schemas.ts` },
    ],
  },
  build: {
    outDir: `${src}/../dist/web`,
    emptyOutDir: true,
    // The pages are served with `default-src 'self'`, which refuses data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the pages do not call of the contract is left out.
      treeshake: { manualPureFunctions: ['Type', 'endpoint', 'OneOf', 'Nullable', 'Page'] },
      output: {
        codeSplitting: {
          groups: [
            // Else every part that two pages share becomes a file of its own, and a page is twenty requests.
            {
              name: 'shared',
              test: /node_modules\/(react|react-router|@tanstack)\/|src\/(web\/(parts|read|api)|contract|kit)\//,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
})
