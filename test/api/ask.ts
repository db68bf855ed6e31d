import assert from 'node:assert/strict'
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { Check, Errors } from 'typebox/value'
import { catalog, type Operation } from '#contract/catalog.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { rewrite } from '#server/api/rewrite.ts'

/** One request as it goes over the wire: the path is sent as it is written. */
export interface Question {
  readonly method: string
  readonly path: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Hang up when the status is known: for answers that have no end. */
  readonly headOnly?: boolean
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends one request and reads the whole answer. */
export function send(
  agent: Agent,
  base: string,
  { method, path, token, headers = {}, body, headOnly = false }: Question,
): Promise<Answer> {
  const { hostname, port } = new URL(base)
  // Of a DELETE Node would not say how long its body is, and the server would take it for another request.
  const length = method === 'DELETE' && body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }
  const all = { ...(token !== undefined && { 'service-token': token }), ...length, ...headers }
  return new Promise((resolve, reject) => {
    const asked = request({ agent, hostname, port, method, path, headers: all }, (answer) => {
      const { statusCode: status = 0, headers: told } = answer
      if (headOnly && status < 400) {
        resolve({ status, headers: told, text: '' })
        answer.destroy()
        return
      }
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        resolve({ status, headers: told, text: Buffer.concat(chunks).toString('utf8') })
      })
    })
    asked.setTimeout(120_000, () =>
      asked.destroy(new Error(`Cannot get an answer of ${method} ${path.slice(0, 200)} within two minutes`)),
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** The value of an answer in JSON. */
export const valueOf = ({ text }: Answer): unknown => (text === '' ? undefined : JSON.parse(text))

/** The words of an error. */
export const messageOf = (answer: Answer): string => (valueOf(answer) as { readonly message: string }).message

const isJson = ({ headers }: Answer): boolean => /^application\/json(;|$)/.test(headers['content-type'] ?? '')

/** Fails unless the answer is what the operation declares, or an error as every error must be. */
export function checkAnswer({ method, path }: Question, answer: Answer): void {
  const said = `${method} ${path.slice(0, 300)} answered ${answer.status}: ${answer.text.slice(0, 500)}`
  assert.notEqual(answer.status, 500, said)
  const operation = operationOf(method, path)
  if (answer.status >= 400) return checkError(answer, said)
  if (!operation) return
  const { status, form, schema } = operation.endpoint
  // Run where nothing is to be run: success of another kind.
  if (operation.operation !== 'runPipeline' || answer.status !== 200) assert.equal(answer.status, status, said)
  if (form === 'stream' || !isJson(answer)) return
  const value = valueOf(answer)
  if (Check(schema.response, value)) return
  assert.fail(`${said} is not as declared: ${JSON.stringify(Errors(schema.response, value)).slice(0, 1000)}`)
}

function checkError(answer: Answer, said: string): void {
  assert.ok(isJson(answer), `${said} with type ${answer.headers['content-type']}`)
  const value = valueOf(answer) as { readonly message?: unknown }
  if (answer.status !== 416) assert.ok(typeof value.message === 'string' && value.message !== '', said)
  assert.doesNotMatch(answer.text, /\.ts:\d+|node_modules|at async|SqliteError|SQLITE_/, said)
}

/** The operation that an address means: of those that fit, the one with the fewest parameters. */
export function operationOf(method: string, address: string): Operation | undefined {
  const path = rewrite(address).split('?')[0] ?? ''
  return patterns.find(({ operation, pattern }) => operation.endpoint.method === method && pattern.test(path))
    ?.operation
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.+')}$`)
const parametersIn = ({ endpoint: { path } }: Operation): number =>
  path.split(/:|\*/).length + (path.includes('*') ? 10 : 0)
const patterns = catalog
  .toSorted((a, b) => parametersIn(a) - parametersIn(b))
  .map((operation) => ({ operation, pattern: patternOf(operation.prefix + operation.endpoint.path) }))

/** The address of a declared operation, parameters encoded. */
export function addressOf(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const operation = catalog.find((candidate) => candidate.endpoint === endpoint)
  assert.ok(operation, `${endpoint.path} is in the catalog`)
  const path = endpoint.path.replace(/:(\w+)|\*/g, (_, name: string | undefined) =>
    encodeURIComponent(String(params[name ?? '*'])),
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return operation.prefix + path + (search && `?${search}`)
}
