/** A file in a tree. */
export interface Leaf<T> {
  readonly name: string
  readonly file: T
}

/** A folder in a tree: its folders, then its files, each by name. */
export interface Folder<T> {
  readonly name: string
  readonly folders: readonly Folder<T>[]
  readonly files: readonly Leaf<T>[]
}

interface Growing<T> {
  readonly folders: Map<string, Growing<T>>
  readonly files: Leaf<T>[]
}

/** Puts files into the folders that their paths name. A path means what it says: nothing in it leads upwards. */
export function foldersOf<T extends { readonly path: string }>(files: readonly T[]): Folder<T> {
  const root: Growing<T> = { folders: new Map(), files: [] }
  for (const file of files) {
    const names = file.path.split('/').filter((name) => name !== '')
    let place = root
    for (const name of names.slice(0, -1)) {
      const next = place.folders.get(name) ?? { folders: new Map(), files: [] }
      place.folders.set(name, next)
      place = next
    }
    place.files.push({ name: names.at(-1) ?? file.path, file })
  }
  return settle('', root)
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) => one.name.localeCompare(other.name)

const settle = <T>(name: string, { folders, files }: Growing<T>): Folder<T> => ({
  name,
  folders: [...folders].map(([one, folder]) => settle(one, folder)).toSorted(byName),
  files: files.toSorted(byName),
})

/** How a browser can show a file safely; nothing where it can only be downloaded. */
export function previewOf(path: string, size: number): 'frame' | 'image' | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  if (['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'avif'].includes(ending)) return 'image'
  if (size > 2_000_000) return undefined
  const text = [
    'html',
    'htm',
    'txt',
    'log',
    'md',
    'json',
    'xml',
    'yml',
    'yaml',
    'csv',
    'tap',
    'css',
    'js',
    'ts',
    'diff',
  ]
  return text.includes(ending) ? 'frame' : undefined
}

/** A size as one says it. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}
