import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#kit/refusal.ts'
import { readHead } from './cgi.ts'
import { collect, exitOf, GitFailure, spawnGit } from './git.ts'
import { type ReadPush, readPush, refusedPush } from './push-commands.ts'

/** The three paths below a repository that a git client asks for. */
export type GitService = 'info/refs' | 'git-upload-pack' | 'git-receive-pack'

/** What a git client asks over HTTP. Who asks is settled before. */
export interface GitRequest {
  /** The path of a bare repository. */
  readonly repository: string
  readonly service: GitService
  /** As it came, without the question mark: `service=git-upload-pack`. */
  readonly query: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Readable
  readonly remoteUser?: string
  /** Whether the caller may push. */
  readonly mayPush: boolean
  /** A larger push is refused by git; 2 GB unless told. */
  readonly maxPushBytes?: number
}

/** The answer of git, while it is still being made. */
export interface GitAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** To be read, or destroyed: git waits for it. */
  readonly body: Readable
  /** Settles when git has ended, after which refs are as a push left them. Rejects where git failed or was stopped. */
  readonly done: Promise<void>
  /** Of a push: what its sender can hear, and wants beside it. */
  readonly push?: Omit<ReadPush, 'body'>
}

const anHour = 3_600_000

/** Serves one request of a git client, with `git http-backend`: bytes flow both ways as they come. Aborting stops git. */
export async function serveGit(request: GitRequest, signal: AbortSignal): Promise<GitAnswer> {
  checkService(request)
  if (request.service !== 'git-receive-pack') return answer(request, request.body, signal)
  try {
    const { body, ...push } = await readPush(request.body, headerOf(request, 'content-encoding'))
    return { ...(await answer(request, body, signal)), push }
  } catch (error) {
    if (error instanceof Refusal) return { ...refusedPush(error.message), done: Promise.resolve() }
    throw error
  }
}

/** Tells a git client that is about to fetch why it cannot, in its own words, so that its user reads them. */
export function refusedFetch(message: string): GitAnswer {
  const line = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
  const words = `${line('# service=git-upload-pack\n')}0000${line(`ERR ${message.slice(0, 900)}\n`)}`
  return {
    status: 200,
    headers: { 'content-type': 'application/x-git-upload-pack-advertisement', 'cache-control': 'no-cache' },
    body: Readable.from([Buffer.from(words)], { objectMode: false }),
    done: Promise.resolve(),
  }
}

/** Refuses what is not the smart protocol, and pushes of those who may not. */
function checkService({ service, method, query, mayPush }: GitRequest): void {
  const asked = service === 'info/refs' ? new URLSearchParams(query).get('service') : service
  if (asked !== 'git-upload-pack' && asked !== 'git-receive-pack') {
    throw new Refusal('invalid', 'Cannot serve files one by one: use a git client that speaks the smart protocol')
  }
  const expected = service === 'info/refs' ? 'GET' : 'POST'
  if (method !== expected)
    throw new Refusal(
      'invalid',
      `Cannot serve ${service} as it must be asked by ${expected}: it was asked by ${method}`,
    )
  if (asked === 'git-receive-pack' && !mayPush) throw new Refusal('forbidden', 'Permission denied')
}

async function answer(request: GitRequest, body: Readable, signal: AbortSignal): Promise<GitAnswer> {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(anHour)])
  const child = spawnGit(['http-backend'], { config: settingsOf(request), environment: cgiEnvironment(request) }, until)
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('Cannot speak with git: it has no pipes')
  const complaint = collect(child.stderr, 64_000, () => {})
  const done = exitOf(child).then(async (code) => {
    if (code !== 0) throw new GitFailure('http-backend', code, (await complaint).toString())
  })
  // Whoever does not ask how it ended shall not be brought down by it.
  done.catch(() => {})
  if (request.method === 'GET') stdin.end()
  // A client that goes away in the middle: an end of input would look like the whole. (That git stops reading is no error.)
  else pipeline(untouched(body), stdin).catch(() => body.errored && stop.abort())
  // A reader who goes away wants no more of the answer.
  stdout.once('close', () => stdout.readableEnded || stop.abort())
  try {
    return { ...(await readHead(stdout)), body: stdout, done }
  } catch (error) {
    stop.abort()
    await done
    throw error
  }
}

/** The chunks of a stream, which is not destroyed when nobody wants more of them: the answer goes by the same socket. */
async function* untouched(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Buffer
}

const settingsOf = ({ mayPush, maxPushBytes = 2_000_000_000 }: GitRequest) => ({
  'http.uploadpack': 'true',
  'http.receivepack': String(mayPush),
  'http.getanyfile': 'false',
  'receive.maxInputSize': String(maxPushBytes),
  'receive.advertisePushOptions': 'true',
})

/** The request in the words of CGI: only those that git reads, and none that the client could choose freely. */
function cgiEnvironment(request: GitRequest): Readonly<Record<string, string>> {
  const { repository, service, method, query, remoteUser } = request
  const asked = new URLSearchParams(query).get('service')
  const protocol = headerOf(request, 'git-protocol')
  const pushing = service === 'git-receive-pack'
  return {
    GIT_PROJECT_ROOT: dirname(repository),
    PATH_INFO: `/${basename(repository)}/${service}`,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: method,
    QUERY_STRING: service === 'info/refs' ? `service=${asked}` : '',
    CONTENT_TYPE: headerOf(request, 'content-type'),
    // A push has been unpacked on its way, so neither its length nor its encoding is that of the request.
    ...(!pushing && {
      CONTENT_LENGTH: headerOf(request, 'content-length'),
      HTTP_CONTENT_ENCODING: headerOf(request, 'content-encoding'),
    }),
    ...(/^[\w=:.-]{1,100}$/.test(protocol) && { GIT_PROTOCOL: protocol }),
    REMOTE_USER: (remoteUser ?? '').replaceAll(/[^\w.@-]/g, '-'),
  }
}

function headerOf({ headers }: GitRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}
