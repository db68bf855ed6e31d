import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packsOf } from './mirror-state.ts'
import type { Source } from './source.ts'

/** A file of the repository that a job gets, named below its `.git`: a copy of one of ours, a text, or a folder. */
export interface SeedFile {
  readonly path: string
  readonly from?: string
  readonly content?: string
}

/** What a job's repository is made of. */
export interface Stock {
  readonly gitDir: string
  /** Names in `objects/pack`. */
  readonly packs: readonly string[]
  /** Lines of `<object> <name>`, as the repository itself names them, in the order of git. */
  readonly refs: string
  readonly head: string | null
  readonly isPartial: boolean
  readonly isShallow: boolean
}

/**
 * The `.git` of a job, complete in itself and as `git clone` and a checkout of the branch or tag would leave it: the job may
 * keep it in a cache or a workspace, where another agent finds it. `HEAD` comes last: what has none was cut short.
 */
export function seedOf(stock: Stock, source: Source): readonly SeedFile[] {
  const { gitDir, packs, isShallow } = stock
  const local = localBranches(stock, source)
  const origin = stock.head === null ? [] : [originHead(stock.head)]
  return [
    ...['hooks', 'info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/remotes/origin', 'refs/tags'].map(
      (path) => ({ path }),
    ),
    { path: 'info/exclude', content: '' },
    { path: 'config', content: configOf(stock, source, local) },
    // An index without its pack would be a lie.
    ...packs
      .toSorted((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')))
      .map((name) => ({ path: `objects/pack/${name}`, from: join(packsOf(gitDir), name) })),
    ...(isShallow ? [{ path: 'shallow', content: readFileSync(join(gitDir, 'shallow'), 'utf8') }] : []),
    { path: 'packed-refs', content: packedRefs(stock.refs, local) },
    ...origin,
    { path: 'HEAD', content: headOf(source) },
  ]
}

const headOf = ({ branch, tag, revision }: Source) =>
  tag === null && branch !== null ? `ref: refs/heads/${branch}\n` : `${revision}\n`

const originHead = (head: string) => ({
  path: 'refs/remotes/origin/HEAD',
  content: `ref: refs/remotes/origin/${head}\n`,
})

/** The job's own branch at its revision, and the default branch beside it, as a clone would have it. */
function localBranches({ head, refs }: Stock, { branch, tag, revision }: Source): ReadonlyMap<string, string> {
  const found = head === null ? undefined : new RegExp(`^([0-9a-f]+) refs/heads/${escaped(head)}$`, 'm').exec(refs)?.[1]
  return new Map([
    ...(head !== null && found !== undefined ? [[head, found] as const] : []),
    ...(tag === null && branch !== null ? [[branch, revision] as const] : []),
  ])
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function packedRefs(refs: string, local: ReadonlyMap<string, string>): string {
  const own = [...local]
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, oid]) => `${oid} refs/heads/${name}\n`)
  // Branches come before tags, and keep their order under the other name.
  return `# pack-refs with: sorted \n${own.join('')}${refs.replaceAll(' refs/heads/', ' refs/remotes/origin/')}`
}

function configOf(stock: Stock, { url, origin = url, revision }: Source, local: ReadonlyMap<string, string>): string {
  const { isPartial, head } = stock
  const isLong = revision.length === 64
  const lines = [
    '[core]',
    `\trepositoryformatversion = ${isLong || isPartial ? 1 : 0}`,
    '\tfilemode = true',
    '\tbare = false',
    '\tlogallrefupdates = true',
    '[remote "origin"]',
    `\turl = ${valued(origin)}`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    ...(isPartial ? ['\tpromisor = true', '\tpartialclonefilter = blob:none'] : []),
    ...(head !== null && local.has(head)
      ? [`[branch "${named(head)}"]`, '\tremote = origin', `\tmerge = ${valued(`refs/heads/${head}`)}`]
      : []),
    ...(isLong ? ['[extensions]', '\tobjectformat = sha256'] : []),
    '[gc]',
    '\tauto = 0',
  ]
  return `${lines.join('\n')}\n`
}

const named = (text: string) => text.replaceAll(/["\\]/g, String.raw`\$&`)
const valued = (text: string) => `"${named(text)}"`
