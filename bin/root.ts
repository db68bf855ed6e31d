import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the program: above bin/ when it runs from its sources, above dist/program/ when it was put together into few files. */
export const root = above(import.meta.dirname)

/** The version of this program. */
export const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string })
  .version

function above(folder: string): string {
  const parent = dirname(folder)
  if (existsSync(join(parent, 'package.json')) || parent === folder) return parent
  return above(parent)
}
