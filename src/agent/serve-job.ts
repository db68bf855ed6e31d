import type { StepReport } from '#contract/agent/report.ts'
import type { Mirrors } from './checkout/mirrors.ts'
import type { Place } from './executors/executor.ts'
import { type ClaimedJob, keepSecret, keptSecrets, type StepEnd } from './job-folder.ts'
import type { Outcome } from './outcome.ts'
import { limitOutput } from './output-limit.ts'
import { masker, openRedaction, type Redaction } from './redact.ts'
import { openReports } from './reports.ts'
import { type Listener, runJob } from './run-job.ts'
import { type JobServer, offsetIn, persist } from './server.ts'
import type { SentLog } from './log-sender.ts'
import { followLog, type LogRoute, type StepLog } from './step-log.ts'
import type { Opened } from './ssh/door.ts'
import type { StopSwitch } from './stop-switch.ts'
import { openMailbox } from './tools/mailbox.ts'
import { Refused } from './wire.ts'

/** How often the end of a job is sent when the server says that it misses bytes of a log. */
const mostFinishes = 5

const jobHasEnded = new Error('The job has ended')

/** What serving a job needs beside the job. */
export interface JobHands {
  readonly place: Place
  readonly server: JobServer
  readonly stop: StopSwitch
  /** Where the job is reached by SSH, if it is meant to be. */
  readonly door?: Promise<Opened> | undefined
  readonly mirrors: Mirrors
  /** Never to appear in a log, beside what the job names. */
  readonly ownSecrets: readonly string[]
  /** Of the agent, for steps that ask. */
  readonly version: string
  readonly tell: (line: string) => void
  /** The server has answered something about the job that was sent then. */
  readonly heard: (sent: number) => void
}

/**
 * Runs a job and tells the server everything about it: steps, logs, and the end when all logs have arrived.
 * Resolves when the server has confirmed the end, or has said that the job is not ours any more. The place is still there.
 */
export async function serveJob(job: ClaimedJob, hands: JobHands): Promise<void> {
  const { spec } = job
  const { place, server, stop, tell } = hands
  const over = new AbortController()
  const talking = AbortSignal.any([over.signal, stop.lost])
  const reports = openReports(spec, server, talking, refusedReport, hands.heard)
  const redaction = openRedaction([...secretsOf(job), ...hands.ownSecrets, ...keptSecrets(place.folder)])
  const route: LogRoute = {
    folder: place.folder,
    server,
    redactor: redaction.open,
    mostBytes: spec.log.most_bytes ?? Infinity,
    rangeBytes: Math.max(1, spec.log.range_bytes),
    intervalMs: spec.log.interval_ms,
    windows: spec.log.windows,
    signal: talking,
    tell,
  }
  void limitOutput(place.folder, spec.steps.length, route.mostBytes, over.signal)
  using _mail = mailFor(job, hands, redaction)
  const logs = new Map<number, StepLog>()
  const ends = new Map<number, StepEnd>()
  const sent: Promise<void>[] = []
  let spoken = false
  let finishing = false

  /** The end of the job says all that a report could: one that comes after it finds the lease gone, and that is no loss. */
  function refusedReport(error: unknown): void {
    if (!finishing) refused(error)
  }

  function refused(error: unknown): void {
    if (stop.lost.aborted) return
    tell(`Job ${spec.id} is given up: ${error instanceof Error ? error.message : String(error)}`)
    stop.stop({ type: 'lost' })
  }

  async function ended(index: number, end: StepEnd): Promise<void> {
    ends.set(index, end)
    reports.set(reportOf(index, end))
    const log = logs.get(index) ?? followLog(route, index)
    logs.delete(index)
    try {
      reports.set(reportOf(index, end, await log.close(end.outBytes)))
    } catch (error) {
      refused(error)
    }
  }

  try {
    const listener: Listener = {
      began(index, started_at) {
        reports.set({
          index,
          status: 'running',
          started_at,
          ended_at: null,
          exit_code: null,
          log_size: null,
          log_crc: null,
        })
        logs.set(index, followLog(route, index))
        if (spoken) return undefined
        spoken = true
        // By then the first word about this job is with the system, and arrives even if we die in this moment.
        return new Promise((resolve) => setImmediate(resolve))
      },
      ended: (index, end) => void sent.push(ended(index, end)),
      othersSucceeded,
    }
    const outcome = await runJob(job, place, stop, server, listener, masker(redaction.open), hands.mirrors, hands.door)
    await Promise.all(sent)
    finishing = true
    for (let times = 0; !stop.lost.aborted && !(await finished(outcome)); times++) {
      if (times === mostFinishes) refused(new Error('the server does not accept its logs'))
      else await resend()
    }
  } finally {
    over.abort(jobHasEnded)
  }

  async function othersSucceeded(): Promise<boolean> {
    const waiting = AbortSignal.any([talking, stop.signal])
    try {
      for (;;) {
        const others = await persist(() => server.others(waiting), waiting, tell)
        if (others !== 'running') return others === 'succeeded'
      }
    } catch (error) {
      if (!waiting.aborted) refused(error)
      return false
    }
  }

  async function finished({ outcome, reason }: Outcome): Promise<boolean> {
    try {
      await persist(
        () => server.finish({ outcome, reason, steps: [...reports.all()], sent_at: new Date().toISOString() }, talking),
        talking,
        tell,
      )
      return true
    } catch (error) {
      if (error instanceof Refused && error.status === 409 && offsetIn(error) !== undefined) return false
      refused(error)
      return true
    }
  }

  /** Sends every log again from the start: the server answers what it has, and gets the rest. */
  async function resend(): Promise<void> {
    await Promise.all([...ends].map(([index, end]) => ended(index, end)))
  }
}

/** Answers what the steps of a job ask by the in-job command; a job without a mailbox goes on, and its steps hear that there is none. */
function mailFor(
  { spec }: ClaimedJob,
  { place, server, stop, version, tell }: JobHands,
  redaction: Redaction,
): Disposable | undefined {
  const hide = (secret: string) => {
    if (keptSecrets(place.folder).includes(secret)) return
    keepSecret(place.folder, secret)
    redaction.add(secret)
  }
  try {
    return openMailbox(place.shared, async (question) => {
      // Most jobs ask nothing, and what it takes to answer is not small.
      const { answer } = await import('./tools/answer.ts')
      const { testSources } = await import('./tools/sources.ts')
      return answer(question, testSources(place, server, stop.signal, hide), version)
    })
  } catch (error) {
    tell(`Cannot open the mailbox of job ${spec.id}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function reportOf(index: number, end: StepEnd, sent?: SentLog): StepReport {
  const { status, started_at, ended_at, exit_code } = end
  return { index, status, started_at, ended_at, exit_code, log_size: sent?.size ?? null, log_crc: sent?.crc ?? null }
}

function secretsOf({ spec }: ClaimedJob): readonly string[] {
  const images = spec.executor.type === 'docker' ? spec.executor.images : []
  return [
    ...spec.secrets,
    spec.token,
    spec.checkout.private_key ?? '',
    spec.checkout.credential ?? '',
    spec.checkout.through?.credential ?? '',
    ...spec.ssh_keys.map((key) => key.private_key),
    ...images.map((image) => image.auth?.password ?? ''),
    ...images.flatMap(({ cloud_auth: auth }) =>
      auth ? [auth.type === 'aws_keys' ? auth.secret_access_key : auth.token] : [],
    ),
  ]
}
