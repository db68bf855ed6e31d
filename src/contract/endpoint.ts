import { type Static, type TObject, type TSchema, Type } from 'typebox'

/** What a token may do with a project; `all` holds every other. */
export type Scope = 'status' | 'view-builds' | 'trigger-builds' | 'read-settings' | 'write-settings' | 'all'

/**
 * Who may call: part of the declaration, so that the whole list can be read, and tested, in one place.
 *
 * - `anyone`: no credential (what the request carries authorizes it, or it tells nothing)
 * - `user`: a user's own token or session; a project token is refused
 * - `user-or-public`: as `user`; a public project answers anonymous readers too
 * - `project:<scope>`: a user, or a token of that project which holds the scope
 * - `project-or-public:<scope>`: as above; a public project answers anonymous readers too
 * - `admin`: an administrator of this installation
 * - `agent`: an agent's token; `job`: the token of one claimed job, dead with its lease
 */
export type Access =
  | 'anyone'
  | 'user'
  | 'user-or-public'
  | `project:${Scope}`
  | `project-or-public:${Scope}`
  | 'admin'
  | 'agent'
  | 'job'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Parts {
  params?: TObject
  query?: TObject
  body?: TSchema
  response: TSchema
}

export interface Endpoint<P extends Parts = Parts> {
  readonly method: Method
  /** Below the prefix of its generation; parameters as `:name`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  /** The code of success; 200 unless declared. */
  readonly status: number
  /** `json`: the usual; `bytes`: the body is not JSON and is read by the handler as a stream; `stream`: the answer is not JSON. */
  readonly form: 'json' | 'bytes' | 'stream'
  /** Whether its use is kept in the record of who did what: whatever changes something, unless what it makes tells it anyway. */
  readonly audited: boolean
  readonly schema: P
}

type Part<P extends Parts, K extends keyof Parts> = P[K] extends TSchema ? Static<P[K]> : undefined

/** What a caller sends and a handler receives. */
export type Input<E> =
  E extends Endpoint<infer P>
    ? { [K in 'params' | 'query' | 'body' as P[K] extends TSchema ? K : never]: Part<P, K> }
    : never

/** What comes back. */
export type Output<E> = E extends Endpoint<infer P> ? Static<P['response']> : never

type Declared = Omit<Endpoint, 'schema' | 'status' | 'form' | 'audited'> &
  Partial<Pick<Endpoint, 'status' | 'form' | 'audited'>>

/** Agents and jobs work, and whoever is nobody is told of by who they turn out to be. */
const isChange = ({ method, access }: Declared) =>
  method !== 'GET' && access !== 'agent' && access !== 'job' && access !== 'anyone'

/** Declares one operation; validation, types, client, OpenAPI document and access table are derived from it. */
export function endpoint<const P extends Parts>(declared: Declared & P): Endpoint<P> {
  const {
    method,
    path,
    summary,
    access,
    status = 200,
    form = 'json',
    audited = isChange(declared),
    ...schema
  } = declared
  return { method, path, summary, access, status, form, audited, schema: schema as unknown as P }
}

export const Uuid = Type.String({ format: 'uuid' })
export const Time = Type.String({ format: 'date-time' })
export const Message = Type.Object({ message: Type.String() })

/** `null` on the wire where there is nothing. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A list of generation 2: the token is null on the last page, never absent. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next_page_token: Nullable(Type.String()) })

/** One of a closed list of words. */
export const OneOf = <const W extends readonly string[]>(...words: W) => Type.Unsafe<W[number]>(Type.Enum([...words]))

/** An answer that says nothing: the JSON string `""`. */
export const Empty = Type.Literal('')

/** A map whose members are not ours to know. */
export const OpenMap = Type.Record(Type.String(), Type.Unknown())

/** Schema keywords of an object that must hold exactly one of these members. */
export const exactlyOne = (...names: readonly string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) })

/** Schema keywords of an object in which each of these members, in one spelling or another, must be there. */
export const anySpelling = (...members: readonly (readonly string[])[]) => ({
  allOf: members.map((spellings) => ({ anyOf: spellings.map((name) => ({ required: [name] })) })),
})

/** The answer of a `stream` endpoint that sends bytes as they are. */
export const Bytes = Type.String({ contentMediaType: 'application/octet-stream' })

/** The answer of a `stream` endpoint that sends events for as long as the caller listens. */
export const Events = Type.String({ contentMediaType: 'text/event-stream' })
