import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Test files that one process runs, one after the other. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
}

/** A test file as it is dealt out: where it lies in the repository, and what is written in it. */
export interface TestFile {
  readonly path: string
  readonly text: string
}

/**
 * Where files share processes, as loading the service takes most of a second of processor time, and how many of them one.
 * With more of them a process that dies would take too much with it, and the last one would keep everybody waiting.
 */
const sharing: readonly (readonly [room: string, most: number])[] = [
  ['src/agent/archive', 12],
  ['src/agent/tests', 12],
  ['src/agent/tools', 12],
  ['src/agent/works', 12],
  ['src/server', 12],
  ['src/cli', 12],
  ['src/config', 24],
  ['src/contract', 24],
  ['src/core', 24],
  ['src/kit', 24],
  ['src/local', 12],
  ['src/web', 24],
  ['test/api', 8],
  ['test/providers', 8],
  ['test/scenarios', 4],
]

/**
 * What a file does to its whole process (where it is, what surrounds it, clocks, processor time, hooks of every test), or
 * takes from being the one that was started (the place of its snapshots), or what lets tests run before all are declared.
 */
const forItself = [
  /process\.(chdir|umask|exit|on|once|cpuUsage|memoryUsage)\(/,
  /process\.env\[[^\]]+\] = |delete process\.env/,
  /\bmock\.|assert\.snapshot\(/,
  /^(before|after|beforeEach|afterEach)\(/m,
  /^(export )?(const|let) [^=]* = await |^await /m,
]

/** Those that take longest, longest first: begun last, one of them alone would keep the other processors waiting. */
export const longest = [
  'test/api/hostile.test.ts',
  'test/browser/settings.test.ts',
  'test/browser/access.test.ts',
  'test/chaos/push.test.ts',
  'test/run/run-command.test.ts',
  'test/api/auth.test.ts',
  'test/chaos/agent.test.ts',
  'test/chaos/server.test.ts',
  'test/chaos/lost-agent.test.ts',
  'src/agent/restart.test.ts',
]

/** Rooms whose tests take moments: they fill the end. */
const quick = ['src/cli', 'src/config', 'src/contract', 'src/core', 'src/kit', 'src/local', 'src/web']

/** The test files that these patterns name; a folder stands for the tests in it. */
export function testFilesIn(root: string, patterns: readonly string[]): readonly TestFile[] {
  const wanted = patterns.length === 0 ? ['src', 'test', 'tool'] : patterns
  const globs = wanted.map((pattern) =>
    statSync(join(root, pattern), { throwIfNoEntry: false })?.isDirectory()
      ? join(pattern, '**/*.test.{ts,tsx}')
      : pattern,
  )
  const paths = globSync(globs, { cwd: root, exclude: (name) => name === 'node_modules' })
  return [...new Set(paths)].toSorted().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Deals test files out to processes, in the order in which these are to be started. */
export function groupsOf(files: readonly TestFile[]): readonly Group[] {
  const alone = files.filter(runsAlone).map(({ path }) => ({ name: path, files: [path] }))
  const rest = files.filter((file) => !runsAlone(file)).map(({ path }) => path)
  const shared = sharing.flatMap(([room, most]) =>
    dealt(
      room,
      most,
      rest.filter((path) => isIn(room, path)),
    ),
  )
  return inTurn([...alone, ...shared])
}

/** As few groups as may be, all of about the same size. */
function dealt(room: string, most: number, files: readonly string[]): readonly Group[] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, place) => ({
    name: `${room} ${place + 1} of ${count}`,
    files: files.filter((_path, index) => index % count === place),
  }))
}

const isIn = (room: string, path: string) => path.startsWith(`${room}/`)

const runsAlone = ({ path, text }: TestFile) =>
  longest.includes(path) || !sharing.some(([room]) => isIn(room, path)) || forItself.some((deed) => deed.test(text))

/**
 * What takes longest first. Then what is of one room, and works or waits alike, is spread over the run, so that those that
 * wait are never all there is. Towards the end only what takes moments is begun: the files of agents, then quick rooms.
 */
function inTurn(groups: readonly Group[]): readonly Group[] {
  const rooms = Map.groupBy(groups, roomOf)
  const turns = new Map(
    groups.map((group) => {
      const place = longest.indexOf(group.files[0] ?? '')
      if (place !== -1) return [group, place - longest.length]
      const others = (rooms.get(roomOf(group)) ?? []).filter(({ files }) => !longest.includes(files[0] ?? ''))
      const share = (others.indexOf(group) + 0.5) / others.length
      return [group, quick.includes(roomOf(group)) ? 2 : share * (roomOf(group) === 'src/agent' ? 1 : 0.8)]
    }),
  )
  return groups.toSorted((a, b) => turns.get(a)! - turns.get(b)!)
}

/** The room of a group, or what goes for one: `src/server`, `test/chaos`, `tool`. */
const roomOf = ({ files: [first = ''] }: Group): string => first.split('/').slice(0, -1).slice(0, 2).join('/')
