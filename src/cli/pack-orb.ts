import { Document, isMap, isScalar, parseDocument, Scalar, visit, YAMLMap } from 'yaml'

/** Files of an orb's source, by their path below its folder, `/` between folders. */
export type OrbFiles = ReadonlyMap<string, string>

/** One packed orb, or everything that keeps it from being packed. */
export type Packed =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[] }

const include = /<<\s*include\(\s*([-\w./@]+)\s*\)\s*>>/g

/**
 * One file of a tree of files: folders and files become keys, what begins with `@` is merged where it stands,
 * and `<<include(path)>>` becomes the text of a file (§A11).
 */
export function packOrb(files: OrbFiles): Packed {
  const problems: string[] = []
  const root = new YAMLMap<unknown, unknown>()
  for (const path of [...files.keys()].filter((name) => /\.ya?ml$/.test(name)).toSorted(rootFirst)) {
    const document = parseDocument(files.get(path)!, { merge: true, version: '1.2' })
    const [error] = document.errors
    if (error) problems.push(`Cannot read ${path}: ${error.message.split('\n')[0]}`)
    if (error || document.contents === null) continue
    if (!isMap(document.contents)) problems.push(`Cannot pack ${path} as it must be a mapping`)
    else
      put(
        root,
        path.replace(/\.ya?ml$/, '').split('/'),
        includeAll(document.contents, path, files, problems),
        path,
        problems,
      )
  }
  if (root.items.length === 0 && problems.length === 0)
    problems.push('Cannot pack an orb of nothing: there is no YAML file')
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, text: new Document(root).toString({ lineWidth: 0 }) }
}

/** `@orb.yml` and its like come before what lies beside them, so that a packed orb begins with what it is. */
function rootFirst(a: string, b: string): number {
  const key = (path: string) => path.replace(/@/g, '\0')
  return key(a) < key(b) ? -1 : 1
}

function put(root: YAMLMap, way: readonly string[], map: YAMLMap, path: string, problems: string[]): void {
  const last = way.at(-1) ?? ''
  const keys = last.startsWith('@') ? way.slice(0, -1) : way
  let here = root
  for (const key of keys) {
    const next = here.get(key, true) as unknown
    if (next !== undefined && !isMap(next)) return void problems.push(`Cannot pack ${path}: ${key} is no mapping`)
    const inner = next ?? new YAMLMap()
    if (next === undefined) here.set(key, inner)
    here = inner as YAMLMap
  }
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? key.value : key
    if (here.has(name))
      problems.push(`Cannot pack ${path}: ${String(isScalar(key) ? key.value : 'a key')} is defined twice`)
    else here.set(key, value)
  }
}

function includeAll(map: YAMLMap, path: string, files: OrbFiles, problems: string[]): YAMLMap {
  visit(map, {
    Scalar(_, node) {
      if (typeof node.value !== 'string' || node.value.search(include) < 0) return undefined
      const text = node.value.replaceAll(include, (_all, name: string) => {
        const found = files.get(name.replace(/^\.\//, ''))
        if (found === undefined) problems.push(`Cannot include ${name} in ${path}: there is no such file`)
        // What is included is no template, whatever it looks like.
        return (found ?? '').replaceAll('<<', '\\<<')
      })
      const included = new Scalar(text)
      if (text.includes('\n')) included.type = Scalar.BLOCK_LITERAL
      return included
    },
  })
  return map
}
