import { basename, dirname, join } from 'node:path'
import type { StepSpec } from '#contract/agent.ts'
import type { Place } from '#agent/executors/executor.ts'
import { directoryOf } from '#agent/environment.ts'
import { literal } from '#agent/glob/pattern.ts'
import { persist } from '#agent/server.ts'
import { batches } from '#agent/tests/batches.ts'
import { readResults, resultPatterns } from '#agent/tests/read-results.ts'
import type { WorkTools } from './work.ts'

/** With more than this a job shows none of its results, so that there is no need to read on. */
const mostBytes = 250 * 1000 * 1000
const mostTold = 20

interface Found {
  readonly root: string
  readonly files: readonly string[]
}

/** Reads the test results of a job and sends them to the server. What cannot be read is told, and does not fail the job (C). */
export async function storeTestResults({
  place,
  job,
  step,
  index,
  say,
  mask,
  signal,
  server,
}: WorkTools<Extract<StepSpec, { type: 'store_test_results' }>>): Promise<'success'> {
  const path = directoryOf(step.path, directoryOf(job.working_directory, place.home, place.home), place.home)
  const found = await findResults(place, path)
  if (!found) {
    say(`Unable to save test results from ${path}: there is no such file or folder\n`)
    return 'success'
  }
  if (found.files.length === 0) {
    say(`Found no test results below ${path}\n`)
    return 'success'
  }
  say(`Reading test results from ${path}: ${found.files.length} files\n`)
  let [tests, bytes, problems] = [0, 0, 0]
  const quiet = () => {}
  const results = batches(mask, async (batch) => {
    await persist(() => server.storeTests(index, batch, signal), signal, quiet)
  })
  const archive = place.files.pack(found.root, found.files)
  try {
    await readResults(archive, {
      test(file, test) {
        tests++
        results.add(sourceOf(file), test)
      },
      problem(file, words) {
        const line = `Cannot read test results from ${join(found.root, file)}: ${words}`
        results.problem(line)
        if (problems++ < mostTold) say(`${line}\n`)
      },
      async read(more) {
        signal.throwIfAborted()
        bytes += more
        await results.read(more)
        if (bytes > mostBytes) throw new TooMuch()
      },
    })
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    say(`There are more than ${mostBytes / 1e6} MB of test results: none of them will be shown\n`)
  } finally {
    archive.destroy()
  }
  await results.end()
  if (problems > mostTold) say(`${problems - mostTold} more files could not be read\n`)
  say(`Sent the results of ${tests} tests\n`)
  return 'success'
}

class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/** The files below a folder that may hold results, or a file itself. Hidden folders are not looked into (A6). */
async function findResults(place: Place, path: string): Promise<Found | undefined> {
  const below = await place.files.find(path, resultPatterns)
  const files = below.filter((file) => !/(?:^|\/)\./.test(file))
  if (files.length > 0) return { root: path, files }
  const [root, name] = [dirname(path), basename(path)]
  const [itself] = await place.files.find(root, [literal(name)])
  if (itself === undefined) return undefined
  return { root, files: /\.(xml|junit|json)$/.test(name) ? [name] : [] }
}

/** The first folder below the path, which often says what made the results. */
function sourceOf(file: string): string {
  const parts = file.replace(/^\.\//, '').split('/')
  return parts.length > 1 ? (parts[0] ?? 'unknown') : 'unknown'
}
