import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** One of our source files: its path from the root of the repository, its text, and what it imports, as written. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const root = join(import.meta.dirname, '..')

const forms = [
  /^\s*(?:import|export)\s[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]/gm,
  /^\s*import\s+['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
]

/** The sources that match any of the patterns. */
export function sources(...patterns: readonly string[]): readonly Source[] {
  return globSync([...patterns], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: importsOf(text) }
    })
}

/** What a text imports: values and types, at its head or on demand. */
export function importsOf(text: string): readonly string[] {
  return forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1]!))
}

/** The file of ours that an import means; nothing where it is a package. */
export function fileOf(importer: string, imported: string): string | undefined {
  if (imported.startsWith('#test/')) return imported.slice(1)
  if (imported.startsWith('#')) return `src/${imported.slice(1)}`
  return imported.startsWith('.') ? posix.join(posix.dirname(importer), imported) : undefined
}

/** Whether it is a test, or stands beside tests only to serve them. */
export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)
