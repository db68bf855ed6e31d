import type { ProviderTerms } from './terms.ts'

/** A provider did not do what it was asked. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  /** Nothing where it did not answer at all. */
  readonly status: number | undefined
  /** When it wants to be asked again, in milliseconds from now; where it said so. */
  readonly retryMs: number | undefined

  constructor(message: string, status?: number, retryMs?: number) {
    super(message)
    this.status = status
    this.retryMs = retryMs
  }

  /** Whether asking again could ever help. */
  get isFinal(): boolean {
    if (this.status === undefined || this.retryMs !== undefined) return false
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429
  }
}

/** A provider answered more than anybody wanted to hear: asking again does not help. */
export class TooLarge extends ProviderFailure {
  override get isFinal(): boolean {
    return true
  }
}

/** One question to a provider. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the address of the interface, parameters encoded. */
  readonly path: string
  readonly body?: unknown
  readonly token?: string | undefined
}

/** What it answered. */
export interface Answer {
  readonly value: unknown
  /** Where the next page of a list is. */
  readonly next: string | undefined
}

const longestMs = 10_000
const mostBytes = 10_000_000

const mostMoves = 3

/** Asks a provider something that it answers in JSON. */
export async function ask(terms: ProviderTerms, question: Question, signal?: AbortSignal): Promise<Answer> {
  const { text, headers, what } = await exchange(terms, { ...question, accept: 'application/json', mostBytes }, signal)
  const value = parsed(what, text)
  return { value, next: nextPage(headers, value) }
}

/** Asks a provider for a text, of which no more than that is read; says of which type it is. */
export async function askText(
  terms: ProviderTerms,
  question: Question & Wish,
  signal?: AbortSignal,
): Promise<{ readonly text: string; readonly type: string }> {
  const { text, headers } = await exchange(terms, question, signal)
  return { text, type: headers.get('content-type') ?? '' }
}

interface Wish {
  readonly accept: string
  readonly mostBytes: number
}

interface Exchange {
  readonly text: string
  readonly headers: Headers
  readonly what: string
}

/**
 * Asks, and reads what is answered. A provider may send us on, as it does where a repository has another name by now; but only to itself,
 * and not for ever. Nothing of the token stands in what it throws.
 */
async function exchange(
  terms: ProviderTerms,
  question: Question & Wish,
  signal?: AbortSignal,
  moves = 0,
): Promise<Exchange> {
  const url = question.path.startsWith('/') ? terms.apiUrl + question.path : question.path
  // The next page of a list is the provider's word: it gets the token only where it leads back to it.
  if (new URL(url).origin !== new URL(terms.apiUrl).origin)
    throw new ProviderFailure(`Cannot ask ${new URL(url).origin}: it is not the provider`)
  const what = `${question.method} ${new URL(url).pathname}`
  let answer: Response
  let text: string | undefined
  try {
    answer = await fetch(url, {
      method: question.method,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(longestMs), ...(signal ? [signal] : [])]),
      headers: {
        accept: question.accept,
        'user-agent': 'Roundhouse',
        ...(question.body !== undefined && { 'content-type': 'application/json' }),
        ...(question.token !== undefined && { authorization: `Bearer ${question.token}` }),
      },
      ...(question.body !== undefined && { body: JSON.stringify(question.body) }),
    })
    text = await readCapped(answer, question.mostBytes)
  } catch (error) {
    throw new ProviderFailure(`Cannot ${what}: ${reasonOf(error)}`)
  }
  const location = [301, 302, 307, 308].includes(answer.status) ? answer.headers.get('location') : null
  if (location !== null && moves < mostMoves && URL.canParse(location, url))
    return exchange(terms, { ...question, path: new URL(location, url).href }, signal, moves + 1)
  if (!answer.ok) throw refused(what, answer)
  if (text === undefined) throw new TooLarge(`Cannot ${what}: it answered more than ${question.mostBytes} bytes`)
  return { text, headers: answer.headers, what }
}

/** Reads an answer as it comes; nothing where it has more bytes than that, of which the rest is not waited for. */
async function readCapped(answer: Response, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function refused(what: string, answer: Response): ProviderFailure {
  const wait = retryMs(answer)
  const again = wait === undefined ? '' : `, and wants to be asked again in ${Math.ceil(wait / 1000)} s`
  return new ProviderFailure(`Cannot ${what}: it answered ${answer.status}${again}`, answer.status, wait)
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: Error }
  return cause instanceof Error ? cause.message : message
}

function parsed(what: string, text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderFailure(`Cannot ${what}: it did not answer in JSON`)
  }
}

/** When to come back: as `Retry-After` says, or when the next allowance begins, where this one is used up. */
function retryMs({ status, headers }: Response): number | undefined {
  const after = headers.get('retry-after')
  const longest = 3_600_000
  if (after !== null) {
    const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
    return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), longest) : undefined
  }
  const isUsedUp = (headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining')) === '0'
  if (status !== 429 && !(status === 403 && isUsedUp)) return undefined
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN)
  return Number.isFinite(reset) ? Math.min(Math.max(reset * 1000 - Date.now(), 1_000), longest) : 60_000
}

/** The header of GitHub, Gitea and GitLab, or the member of Bitbucket. */
function nextPage(headers: Headers, value: unknown): string | undefined {
  const [, linked] = /<([^<>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  if (linked !== undefined) return linked
  const told = typeof value === 'object' && value !== null && 'next' in value ? value.next : undefined
  return typeof told === 'string' ? told : undefined
}

const mostPages = 50

/** Everything in a list, page by page, as far as that is sensible; where it must be the whole list, a longer one is refused. */
export async function askAll(
  terms: ProviderTerms,
  question: Question & { readonly isWhole?: boolean },
  signal?: AbortSignal,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  let path: string | undefined = question.path
  for (let page = 0; path !== undefined && page < mostPages; page++) {
    const { value, next }: Answer = await ask(terms, { ...question, path }, signal)
    const values = Array.isArray(value) ? value : (value as { readonly values?: unknown } | undefined)?.values
    if (Array.isArray(values)) items.push(...(values as unknown[]))
    else if (question.isWhole === true) throw new ProviderFailure('Cannot read a list of a provider: it sent none')
    path = next
  }
  if (path !== undefined && question.isWhole === true)
    throw new TooLarge(`Cannot read a list of a provider: it has more than ${mostPages} pages`)
  return items
}
