import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { approve, cancel, rerun, triggerProject } from '#cli/ask/act.ts'
import { type About, findJob } from '#cli/ask/find.ts'
import { tellProjects, tellStatus } from '#cli/ask/look.ts'
import { printJob, tellArtifacts } from '#cli/ask/read.ts'
import { type Told, Unclear } from '#cli/ask/told.ts'
import type { Settings } from '#cli/declared-settings.ts'
import { printable } from '#cli/printable.ts'
import { type Server, serverAt } from '#cli/server.ts'
import { Answered } from '#contract/client.ts'
import { assertNever } from '#kit/brand.ts'
import { findCheckout } from '#local/checkout.ts'
import { placeOf } from '#local/results.ts'
import type { AskOptions, Deed } from './ask-options.ts'
import { connectionOf } from './connection.ts'

type Words = readonly (string | undefined)[]

/** Asks a server, prints what it answers, and gives the exit code: 0, 1 where it refused, 2 where the question was wrong. */
export async function ask(deed: Deed, words: Words, options: AskOptions, settings: () => Settings): Promise<number> {
  try {
    const { server: address, token } = connectionOf(options, settings())
    const server = serverAt(address, token)
    if (deed === 'logs') {
      const job = await findJob(server, await aboutOf(options), words[0] ?? '')
      await printJob(server, job, options.follow ?? false, print)
      return 0
    }
    const { text, data, bad = false } = await answer(deed, server, words, options)
    await print(Buffer.from(options.json ? `${JSON.stringify(data, undefined, 2)}\n` : `${printable(text)}\n`))
    return bad ? 1 : 0
  } catch (error) {
    console.error(printable(sentence(error)))
    return error instanceof Unclear ? 2 : 1
  }
}

async function answer(deed: Exclude<Deed, 'logs'>, server: Server, words: Words, options: AskOptions): Promise<Told> {
  const [first, second] = words
  switch (deed) {
    case 'projects':
      return tellProjects(server)
    case 'status':
      return tellStatus(server, await aboutOf(options), first, limitOf(options.limit))
    case 'trigger':
      return triggerProject(
        server,
        { ...(await aboutOf(options)), tag: options.tag },
        options.param ?? [],
        options.wait ?? false,
      )
    case 'rerun': {
      const jobs = [options.job ?? []].flat()
      const again = { fromFailed: options.fromFailed ?? false, ssh: options.ssh ?? false, jobs }
      return rerun(server, await aboutOf(options), first, again)
    }
    case 'cancel':
      return cancel(server, await aboutOf(options), first, [options.job ?? []].flat()[0])
    case 'approve':
      return approve(server, await aboutOf(options), first, second)
    case 'artifacts': {
      const job = await findJob(server, await aboutOf(options), first ?? '')
      return tellArtifacts(server, job, options.to === undefined ? undefined : saveTo(resolve(options.to)))
    }
    default:
      return assertNever(deed)
  }
}

/** The project that was said, or that of the checkout around us. */
async function aboutOf({ project, branch }: AskOptions): Promise<About> {
  if (project !== undefined) return { project, branch }
  const { organization, name, git } = await findCheckout(process.cwd())
  return { project: git && organization !== 'local' ? `${organization}/${name}` : undefined, branch }
}

function limitOf(text = '10'): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Unclear(`Cannot list ${text} pipelines: it must be 1 to 999`)
  return Number(text)
}

const saveTo =
  (folder: string) =>
  async (entry: { readonly path: string; readonly node_index: number }, bytes: AsyncIterable<Uint8Array>) => {
    const file = placeOf(folder, entry, entry.node_index > 0)
    if (file === undefined) throw new Unclear(`Cannot save ${entry.path} as it would lie outside of ${folder}`)
    await mkdir(dirname(file), { recursive: true })
    await pipeline(bytes, createWriteStream(file))
  }

/** Waits for whoever reads: a log may be large. */
const print = (bytes: Uint8Array): Promise<void> =>
  new Promise((done, fail) => {
    process.stdout.write(bytes, (error) => (error ? fail(error) : done()))
  })

/** What a person is to know when nobody answers is in the cause. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof Answered || !(error.cause instanceof Error)) return error.message
  return `Cannot reach the server: ${error.cause.message}`
}
