import { orNotFound, Refusal } from '#kit/refusal.ts'
import { stepOf, type StepRow } from '#server/store/steps.ts'
import { readLog } from '#server/app/read-log.ts'
import { dayAfterTomorrow, isDayOver, isOurLink, linkSignature, type Opened } from '#server/app/signed-link.ts'
import type { World } from '#server/app/world.ts'

/*
 * What a step printed, as generation 1.1 gives it: `[{message, time, type}]`, by a link that needs no token.
 * Whoever may read a build gets such links; they open one log each, and for a day or two only.
 */

type Place = Pick<StepRow, 'job_id' | 'node' | 'position'>

const opened = ({ job_id, node, position }: Place): Opened => ['output', job_id, node, position]

/** A link to what a step printed. */
export function outputUrl(world: World, step: Place): string {
  const until = dayAfterTomorrow(world)
  const path = [step.job_id, step.node, step.position].map(String).join('/')
  const signature = linkSignature(world, opened(step), until)
  return `${world.terms.baseUrl}/api/rh/v1/output/${path}?until=${until}&signature=${signature}`
}

/** Refuses a link that we did not make, and one that is too old. */
export function checkLink(world: World, step: Place, until: string, signature: string): void {
  if (!isOurLink(world, opened(step), until, signature)) throw new Refusal('not-found', 'Output not found.')
  if (isDayOver(world, until)) throw new Refusal('not-found', 'Cannot open this link: it is too old')
}

/** As many bytes of a log are one message. */
const mostInMessage = 1024 * 1024

/** What a step printed, as the text of a JSON array, piece by piece. */
export async function outputOf(world: World, at: Place): Promise<AsyncGenerator<string>> {
  const step = orNotFound(await stepOf(world.db, at.job_id, at.position, at.node), 'Step')
  return messages(readLog(world, at.job_id, at.position, 0, Infinity, at.node), step.ended_at ?? step.started_at)
}

/** The same as it was printed. */
export async function textOf(world: World, at: Place): Promise<AsyncIterable<Uint8Array>> {
  orNotFound(await stepOf(world.db, at.job_id, at.position, at.node), 'Step')
  return readLog(world, at.job_id, at.position, 0, Infinity, at.node)
}

async function* messages(log: AsyncIterable<Uint8Array>, time: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  let before = '['
  for await (const bytes of log) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length < mostInMessage) continue
    yield before + JSON.stringify({ message: text, time, type: 'out' })
    before = ','
    text = ''
  }
  text += decoder.decode()
  if (text !== '') {
    yield before + JSON.stringify({ message: text, time, type: 'out' })
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
