import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { cucumberReader } from './cucumber.ts'
import { xmlDecoder } from './decode.ts'
import { junitReader } from './junit.ts'
import { BadResults, type ParsedTest } from './parsed-test.ts'

/** Hears what files tell. */
export interface ResultsListener {
  /** The name of the file as it stands in the archive. */
  test(file: string, test: ParsedTest): void
  problem(file: string, words: string): void
  /** Awaited between pieces of files: what has gathered may be sent on. */
  read(bytes: number): Promise<void>
}

/** The names of files that may hold test results. */
export const resultPatterns = ['**/*.xml', '**/*.junit', '**/*.json'] as const

/** A piece that is read at once: larger ones would hold up the other jobs of this agent. */
const mostAtOnce = 16 * 1024

/** Reads the test results in a tar stream of files, one after another, never one whole; a bad file does not spoil the others. */
export async function readResults(archive: Readable, listener: ResultsListener): Promise<void> {
  const unpacking = extract()
  const fed = pipeline(archive, unpacking)
  // The loop below ends with the same error.
  fed.catch(() => {})
  for await (const entry of unpacking) {
    const { name, type } = entry.header
    if (type === 'file' || type === 'contiguous-file') await readFile(name, entry, listener)
    entry.resume()
  }
  await fed
}

async function readFile(file: string, bytes: AsyncIterable<unknown>, listener: ResultsListener): Promise<void> {
  const give = (test: ParsedTest) => listener.test(file, test)
  const reader = file.endsWith('.json') ? cucumberReader(give) : junitReader(give)
  const decoder = xmlDecoder()
  let bad = false

  function reading(read: () => void): void {
    if (bad) return
    try {
      read()
    } catch (error) {
      if (!(error instanceof BadResults)) throw error
      bad = true
      listener.problem(file, error.message)
    }
  }

  // Read to its end also when it is bad: what comes behind it in the archive is wanted.
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += mostAtOnce) {
      const piece = chunk.subarray(at, at + mostAtOnce)
      reading(() => reader.write(decoder.write(piece)))
      await listener.read(piece.length)
    }
  }
  reading(() => {
    reader.write(decoder.end())
    reader.end()
  })
}
