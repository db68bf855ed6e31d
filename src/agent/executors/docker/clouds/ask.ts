import type { IncomingMessage } from 'node:http'

/** A cloud understood and said no, in its own words. */
export class CloudRefusal extends Error {
  override readonly name = 'CloudRefusal'
}

/** A cloud could not be asked, or could not answer for reasons of its own. */
export class CloudAway extends Error {
  override readonly name = 'CloudAway'
}

/** How the interfaces of clouds are reached. */
export interface Outward {
  /** What the environment says of proxies, by the usual names: `HTTPS_PROXY`, `NO_PROXY`. */
  readonly proxy?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** How long an answer is waited for. */
  readonly patienceMs?: number
}

/** One question to a cloud; all of them are asked by POST. */
export interface Question {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const usualPatienceMs = 30_000
/** All that a cloud has to say here is some kilobytes. */
const mostBytes = 64 * 1024

/** Resolves with what was answered, good or bad. Rejects with `CloudAway` or the reason of the signal; follows nobody elsewhere. */
export function ask(
  { url, headers, body }: Question,
  { proxy = {}, signal, patienceMs = usualPatienceMs }: Outward,
): Promise<{ status: number; text: string }> {
  // As in `wire.ts`: the import would cost 10 MB.
  const { request, Agent } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const late = AbortSignal.timeout(patienceMs)
  const outgoing = request(url, {
    method: 'POST',
    agent: new Agent({ proxyEnv: { ...proxy } }),
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal: AbortSignal.any([signal, late]),
  })
  const fail = (error: unknown) => {
    if (signal.aborted) return reject(signal.reason)
    const words = late.aborted
      ? `no answer within ${patienceMs / 1000} s`
      : error instanceof Error
        ? error.message
        : String(error)
    reject(new CloudAway(`Cannot reach ${url.host}: ${words}`))
  }
  outgoing.on('error', fail)
  outgoing.on('response', (answer) => {
    textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), fail)
  })
  outgoing.end(body)
  return promise
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > mostBytes) throw new Error(`its answer is longer than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** What an answer says, as far as it is what was hoped for: nothing of it is sure to be there. */
export function answerIn<T extends object>(text: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** As many letters of what a cloud says as a line of a log should have. */
const mostWords = 500

/**
 * What to throw for an answer that is no success. Clouds are known to quote the request, so what is secret in it is hidden: also
 * what was given to us only a moment ago.
 */
export function complaint(
  host: string,
  status: number,
  code: string | undefined,
  words: string | undefined,
  secrets: readonly string[],
): CloudRefusal | CloudAway {
  const said = [code, words].filter((text) => text !== undefined && text !== '').join(': ')
  const plain = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '****')), said)
  const line = plain.replace(/\s+/g, ' ').trim().slice(0, mostWords)
  const passing = status < 400 || status >= 500 || status === 408 || status === 429 || passingCodes.test(code ?? '')
  if (passing) return new CloudAway(`${host} answered ${status}${line === '' ? '' : `: ${line}`}`)
  return new CloudRefusal(line === '' ? `${host} answered ${status}` : line)
}

/** Said with the status of a refusal, and meant as "not now". */
const passingCodes =
  /^(?:Throttling|ThrottlingException|RequestLimitExceeded|TooManyRequestsException|IDPCommunicationError)$/
