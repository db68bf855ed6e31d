import { type Operation, prefixes } from './catalog.ts'
import { type Access, Message } from './endpoint.ts'
import { exampleOf } from './example.ts'

type Json = Readonly<Record<string, unknown>>

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly title?: string }>>
  readonly required?: readonly string[]
}

/** Where the described service is, and which version of it. */
export interface About {
  readonly version: string
  readonly url: string
}

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: Json
  readonly servers: readonly Json[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** Describes every operation of a catalog in OpenAPI 3.1. */
export function openapi(catalog: readonly Operation[], { version, url }: About): OpenApi {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of catalog) {
    // Generation 2 lies below the server that the document names, as clients of it look for its paths; the others name their own.
    const own = operation.generation === 'v2'
    const path = (paths[(own ? '' : operation.prefix) + templateOf(operation)] ??= {})
    path[operation.endpoint.method.toLowerCase()] = { ...describe(operation), ...(!own && { servers: [{ url }] }) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Roundhouse', version, description: 'Continuous integration that anyone can run with one command' },
    servers: [{ url: url + prefixes.v2 }],
    tags: [...new Set(catalog.map(tagOf))].map((name) => ({ name })),
    paths,
    components: { schemas: { Error: asJson(Message) }, responses: { Error: errorResponse }, securitySchemes },
  }
}

const securitySchemes: Readonly<Record<string, Json>> = {
  header: { type: 'apiKey', in: 'header', name: 'Service-Token' },
  basic: { type: 'http', scheme: 'basic', description: 'The token as the user name, and an empty password' },
  bearer: { type: 'http', scheme: 'bearer' },
  query: { type: 'apiKey', in: 'query', name: 'service-token', description: 'Deprecated: addresses end up in logs' },
}

const errorResponse: Json = {
  description: 'Anything but success: a message for a person',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const meanings: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }

function describe(operation: Operation): Json {
  const { access, status, summary, schema } = operation.endpoint
  return {
    operationId: nameOf(operation),
    tags: [tagOf(operation)],
    summary,
    'x-access': access,
    security: securityOf(access),
    parameters: [...parametersIn('path', schema.params), ...parametersIn('query', schema.query)],
    ...requestBodyOf(operation),
    responses: {
      [status]: { description: meanings[status] ?? 'Success', content: contentOf(schema.response) },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** Names are unique within a generation only: `v2GetWorkflow`. */
const nameOf = ({ generation, operation }: Operation) =>
  generation + operation.charAt(0).toUpperCase() + operation.slice(1)

const tagOf = ({ generation, tag }: Operation) => `${generation} ${tag}`

/** The path with its parameters in braces; the rest of a path (`*`) goes by the title of its schema. */
const templateOf = ({ endpoint: { path, schema } }: Operation) =>
  path.replace(/:(\w+)|\*/g, (_, name: string | undefined) => `{${name ?? titleOfRest(schema.params)}}`)

const titleOfRest = (params: unknown) => asObject(params).properties['*']?.title ?? 'rest'

function parametersIn(place: 'path' | 'query', declared: unknown): readonly Json[] {
  if (declared === undefined) return []
  const { properties, required = [] } = asObject(declared)
  return Object.entries(properties).map(([name, schema]) => ({
    name: name === '*' ? titleOfRest(declared) : name,
    in: place,
    required: required.includes(name),
    schema,
  }))
}

function requestBodyOf({ endpoint: { form, schema } }: Operation): Json {
  if (form === 'bytes') return { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
  if (schema.body === undefined) return {}
  const { required = [] } = asObject(schema.body)
  return {
    requestBody: {
      required: required.length > 0,
      content: { 'application/json': { schema: schema.body, example: exampleOf(schema.body) } },
    },
  }
}

function contentOf(response: unknown): Json {
  const schema = asJson(response)
  const media = schema['contentMediaType']
  return typeof media === 'string'
    ? { [media]: { schema } }
    : { 'application/json': { schema, example: exampleOf(response) } }
}

function securityOf(access: Access): readonly Json[] {
  if (access === 'anyone') return []
  if (access === 'agent' || access === 'job') return [{ bearer: [] }]
  const anyWay = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))
  return access.includes('-or-public') ? [...anyWay, {}] : anyWay
}

/** A declared schema is plain JSON Schema; its type only says so to the compiler. */
const asJson = (schema: unknown) => schema as Json
const asObject = (schema: unknown) => schema as ObjectSchema
