import { dirname, join, posix } from 'node:path'
import { extract } from 'tar-stream'
import { pipeline } from 'node:stream/promises'
import type { Place } from '#agent/executors/executor.ts'
import { type JobServer, persist } from '#agent/server.ts'
import { literal } from '#agent/glob/pattern.ts'
import { rootOf, type TestSources } from './tests.ts'
import { Wrong } from './wrong.ts'

/** A file of items or timings is read whole. */
const mostBytes = 64 * 1024 * 1024
/** How long a step waits for the server before it goes on without. */
const patience = 60_000

/** The world of a job, for the commands of its steps. What is to be seen in no log is told to `hide` before it is given. */
export function testSources(
  place: Place,
  server: JobServer,
  job: AbortSignal,
  hide: (secret: string) => void,
): TestSources {
  const asking = <T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.any([job, AbortSignal.timeout(patience)])
    return persist(
      () => ask(signal),
      signal,
      () => {},
    )
  }

  async function find(directory: string, patterns: readonly string[]): Promise<readonly string[]> {
    const found = new Set<string>()
    for (const written of patterns) {
      const { root, pattern, before } = rootOf(written, directory)
      for (const path of await place.files.find(root, [pattern])) found.add(before + path)
    }
    return [...found]
  }

  /** Those of the files that are there, as a tar can be asked for them. */
  async function present(directory: string, files: readonly string[]): Promise<readonly string[]> {
    const written = files.map((file) => ({ file, ...rootOf(literal(file), directory) }))
    const there = new Set<string>()
    for (const root of new Set(written.map((one) => one.root))) {
      const patterns = written.filter((one) => one.root === root).map(({ pattern }) => pattern)
      for (const path of await place.files.find(root, patterns)) there.add(join(root, path))
    }
    return files.filter((file) => there.has(posix.resolve(directory, file)))
  }

  return {
    find,
    async sizes(directory, files) {
      const there = await present(directory, files)
      const sizes = new Map<string, number>()
      if (there.length === 0) return sizes
      const byPath = new Map(there.map((file) => [plain(posix.resolve(directory, file)), file]))
      for await (const { header, skip } of entries(place, directory, there)) {
        const file = byPath.get(plain(posix.resolve(directory, header.name)))
        if (file !== undefined && header.type === 'file') sizes.set(file, header.size ?? 0)
        skip()
      }
      return sizes
    },
    async read(directory, file) {
      const path = posix.resolve(directory, file)
      const [there] = await present(dirname(path), [path])
      if (there === undefined) throw new Wrong(`open ${file}: no such file or directory`)
      const pieces: Buffer[] = []
      let size = 0
      for await (const { header, bytes } of entries(place, dirname(path), [posix.basename(path)])) {
        if (header.type !== 'file') throw new Wrong(`read ${file}: it is no file`)
        for await (const piece of bytes) {
          size += piece.length
          if (size > mostBytes) throw new Wrong(`read ${file}: it has more than ${mostBytes} bytes`)
          pieces.push(piece)
        }
      }
      return Buffer.concat(pieces).toString('utf8')
    },
    timings: (type) => asking((signal) => server.timings(type, signal)),
    quarantine: () => asking((signal) => server.quarantine(signal)),
    identity: async (audience) => {
      const { token } = await asking((signal) => server.identityToken(audience, signal))
      hide(token)
      return token
    },
    failed: async () => {
      const { only_failed, tests } = await asking((signal) => server.failedTests(signal))
      return only_failed ? tests : undefined
    },
  }
}

async function* entries(place: Place, directory: string, files: readonly string[]) {
  const unpacking = extract()
  const archive = place.files.pack(directory, files)
  const fed = pipeline(archive, unpacking)
  // The loop below ends with the same error.
  fed.catch(() => {})
  try {
    for await (const entry of unpacking) {
      yield { header: entry.header, bytes: entry as AsyncIterable<Buffer>, skip: () => void entry.resume() }
    }
    await fed
  } finally {
    archive.destroy()
  }
}

const plain = (path: string): string => path.replace(/^\/+/, '')
