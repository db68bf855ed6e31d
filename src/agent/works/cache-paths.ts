import { relative, sep } from 'node:path'
import type { Bundle } from '#agent/archive/pack.ts'
import { directoryOf } from '#agent/environment.ts'
import type { Place } from '#agent/executors/executor.ts'
import { literal } from '#agent/glob/pattern.ts'
import { openTurns } from '#agent/turns.ts'

/** What the archive of a cache says of a folder below the job's home, which is elsewhere the next time, and of any other. */
const labels = { home: '~', other: '/' } as const

/** The folder that a label means in this place. */
export function rootOf(place: Place, label: string | undefined): string | undefined {
  if (label === labels.home) return place.home
  return label === labels.other ? '/' : undefined
}

/** A path of a step, for people and for the archive. */
export interface CachePath {
  readonly absolute: string
  readonly label: string
  /** Relative to the folder of the label. */
  readonly path: string
}

/** Where a path of a step is: relative ones lie in the working directory, `~` is the home of the job. */
export function cachePath(configured: string, workingDirectory: string, home: string): CachePath {
  const base = directoryOf(workingDirectory, home, home)
  const absolute = directoryOf(configured, base, home)
  const isHome = absolute === home || absolute.startsWith(home + sep)
  const path = relative(isHome ? home : '/', absolute)
  return { absolute, label: isHome ? labels.home : labels.other, path: path === '' ? '.' : path }
}

/** What of these there is, for the archive; and what there is not. */
export async function bundlesOf(
  place: Place,
  paths: readonly CachePath[],
): Promise<{ readonly bundles: readonly Bundle[]; readonly missing: readonly CachePath[] }> {
  const bundles: Bundle[] = []
  const missing: CachePath[] = []
  for (const label of Object.values(labels)) {
    const root = rootOf(place, label) ?? '/'
    const wanted = paths.filter((path) => path.label === label)
    if (wanted.length === 0) continue
    const found = new Set(
      await place.files.find(
        root,
        wanted.map(({ path }) => literal(path)),
      ),
    )
    missing.push(...wanted.filter(({ path }) => path !== '.' && !found.has(path)))
    const there = await outermost(wanted.map(({ path }) => path).filter((path) => path === '.' || found.has(path)))
    if (there.length > 0) bundles.push({ root, paths: there, label })
  }
  return { bundles, missing }
}

/** Without what lies in another of them, so that nothing is in an archive twice. */
export async function outermost(paths: readonly string[], turns = openTurns()): Promise<readonly string[]> {
  if (paths.includes('.')) return ['.']
  const all = new Set(paths)
  const outer: string[] = []
  for (const path of all) {
    if (!liesIn(path, all)) outer.push(path)
    if (turns.due()) await turns.give()
  }
  return outer
}

function liesIn(path: string, folders: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (folders.has(path.slice(0, slash))) return true
  }
  return false
}
