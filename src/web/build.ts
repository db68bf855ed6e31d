import { build } from 'vite'

/** Builds the pages into `dist/web`, with a hash in the name of every file but `index.html`. */
export async function buildPages(): Promise<void> {
  await build({ configFile: `${import.meta.dirname}/vite.config.ts`, logLevel: 'warn' })
}
