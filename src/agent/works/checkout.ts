import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deliver } from '#agent/checkout/deliver.ts'
import { Unfiltered } from '#agent/checkout/filters.ts'
import { finishEnvironment, finishScript, homeScript } from '#agent/checkout/finish.ts'
import { answerFile, type Found, lookHere, lookScript, readAnswer } from '#agent/checkout/look.ts'
import { gitDirOf } from '#agent/checkout/mirror-state.ts'
import { seedOf, type Stock } from '#agent/checkout/seed.ts'
import { withShallow } from '#agent/checkout/shallow.ts'
import { checkSource, type Source } from '#agent/checkout/source.ts'
import { sourceOf } from '#agent/checkout/through.ts'
import { deliverFiles } from '#agent/checkout/worktree.ts'
import { directoryOf } from '#agent/environment.ts'
import { readBegun } from '#agent/job-folder.ts'
import type { StepSpec } from '#contract/agent.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work, WorkTools } from './work.ts'

type Step = Extract<StepSpec, { type: 'checkout' }>
type Tools = WorkTools<Step>

/**
 * Brings the job's revision into a directory (A6). git fetches in the agent, into a mirror, so that no credential but the
 * job's own key comes into the place, and an image needs no git; the files are then made inside, by the image's own git
 * where it has one.
 */
export const checkout: Work<Step> = async (tools) => {
  const { job, step, place, index, say, signal } = tools
  const { reach, folder } = tools.mirrors
  const source = await sourceOf(job, { reach, folder, say, signal })
  checkSource(source, reach)
  const directory = directoryOf(
    step.path ?? '.',
    directoryOf(job.working_directory, place.home, place.home),
    place.home,
  )
  const commands = await openCommands(tools)
  const found = place.files.direct ? lookHere(directory) : await look(tools, commands, directory)
  if (found.at === 'files')
    throw new StepFailed(`Cannot check out into ${directory}: it holds other files and is not a git repository`)
  say(found.at === 'repository' ? 'Fetching into the existing repository\n' : 'Cloning git repository\n')

  let { method } = step
  const once = () =>
    withStock(tools, source, method, async (stock, knownHosts) => {
      say(`Checking out ${whatOf(source)}\n`)
      const seed = seedOf(stock, source)
      const hosts = existsSync(knownHosts) ? readFileSync(knownHosts, 'utf8').trimEnd() : ''
      const environment = { CHECKOUT_HOSTS: hosts, CHECKOUT_METHOD: method }
      if (!found.git) {
        await commands.run(homeScript, finishEnvironment(place, source, environment))
        const bench = { folder: tools.mirrors.folder, gitDir: stock.gitDir, revision: source.revision, signal }
        say(await deliverFiles(place.files, seed, directory, bench))
        return 0
      }
      const beside = found.at === 'repository' ? join(place.inside, `checkout-${index}.git`) : undefined
      await deliver(place.files, seed, beside ?? join(directory, '.git'))
      const told = { ...environment, CHECKOUT_SEED: beside ?? '' }
      return commands.run(finishScript, finishEnvironment(place, source, told), directory)
    })

  const first = await once().catch((error: unknown) => {
    if (!(error instanceof Unfiltered)) throw error
    say(`${error.message}\nNo files can be left out: fetching all of it\n`)
    method = 'full'
    return once()
  })
  if (first === 0) return 'success'
  signal.throwIfAborted()
  if (method === 'shallow') return 'failed'
  say('Trying once more, with all of it fetched anew\n')
  await tools.mirrors.forget(source, method)
  return (await once()) === 0 ? 'success' : 'failed'
}

const whatOf = ({ branch, tag, revision }: Source) =>
  tag !== null ? `tag ${tag}` : branch !== null ? `branch ${branch}` : `revision ${revision}`

/** Lends what the job's repository is made of, for as long as `read` takes. */
function withStock<T>(
  { step, say, signal, mirrors }: Tools,
  source: Source,
  method: Step['method'],
  read: (stock: Stock, knownHosts: string) => Promise<T>,
): Promise<T> {
  if (method === 'shallow') return withShallow(mirrors, { source, depth: step.depth ?? 1, say, signal }, read)
  const kind = method
  return mirrors.use({ source, kind, say, signal }, ({ folder, state }) => {
    const { refs, head, packs } = state
    const stock = { refs, head, isPartial: kind === 'blobless', isShallow: false }
    return read({ ...stock, gitDir: gitDirOf(folder), packs: Object.keys(packs) }, join(folder, 'known_hosts'))
  })
}

interface Commands {
  run(script: string, environment: Readonly<Record<string, string>>, directory?: string): Promise<number>
}

/** Runs scripts in the place, one after the other; first waits for one that an earlier process of the agent began. */
async function openCommands({ place, index, signal }: Tools): Promise<Commands> {
  const before = readBegun(place.folder, index)?.attempt ?? 0
  let attempt = before
  const isBegun = existsSync(join(place.folder, `step-${index}.exit-${before}`))
  if (isBegun) await place.wait(index, attempt++, signal)
  return {
    async run(script, environment, directory = '/') {
      const command = { script, shell: ['/bin/sh', '-eu'], directory, environment, background: false }
      await place.start({ ...command, step: index, attempt })
      const exit = await place.wait(index, attempt++, signal)
      if (exit.type === 'exited') return exit.code
      throw new Error(exit.type === 'unknown' ? (exit.reason ?? 'The command was lost') : 'The command was not begun')
    },
  }
}

async function look({ place, index }: Tools, commands: Commands, directory: string): Promise<Found> {
  const answer = join(place.inside, answerFile(index))
  await commands.run(lookScript, { ...place.environment, CHECKOUT_ANSWER: answer, CHECKOUT_DIRECTORY: directory })
  const found = await readAnswer(place, index)
  if (!found) throw new StepFailed('Cannot see what is in the directory for the code')
  return found
}
