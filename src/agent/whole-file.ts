import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** A text that this user alone may read. Node writes it as it is only where told how: else by a buffer of its own, 25 KB for every job. */
export const ownText = { encoding: 'utf8', mode: 0o600 } as const

/** Writes a file that nobody ever sees half written, readable by this user only. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { ...ownText })
  renameSync(draft, path)
}

/** The text of a file, or undefined where there is none. */
export function readIfAny(path: string): string | undefined {
  // Mostly there is none, and an error costs ten times as much as a look.
  if (!existsSync(path)) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** What a file holds as JSON; undefined where there is none, or only what a power cut has left of it. */
export function readJson<T>(path: string): T | undefined {
  const text = readIfAny(path)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}
