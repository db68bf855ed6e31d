/*
 * The rules of OpenAPI 3.1 and of JSON Schema 2020-12 that a document can break, in the order in which one reads it.
 * Each problem is a sentence with the place where it is.
 */

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const keysOf: Readonly<Record<string, { readonly must: readonly string[]; readonly may: readonly string[] }>> = {
  document: {
    must: ['openapi', 'info', 'paths'],
    may: ['servers', 'tags', 'components', 'security', 'externalDocs', 'webhooks', 'jsonSchemaDialect'],
  },
  info: { must: ['title', 'version'], may: ['summary', 'description', 'termsOfService', 'contact', 'license'] },
  server: { must: ['url'], may: ['description', 'variables'] },
  tag: { must: ['name'], may: ['description', 'externalDocs'] },
  operation: {
    must: ['responses'],
    may: [
      'operationId',
      'tags',
      'summary',
      'description',
      'externalDocs',
      'parameters',
      'requestBody',
      'callbacks',
      'deprecated',
      'security',
      'servers',
    ],
  },
  parameter: {
    must: ['name', 'in'],
    may: [
      'description',
      'required',
      'deprecated',
      'allowEmptyValue',
      'style',
      'explode',
      'allowReserved',
      'schema',
      'example',
      'examples',
      'content',
    ],
  },
  body: { must: ['content'], may: ['description', 'required'] },
  response: { must: ['description'], may: ['headers', 'content', 'links'] },
  media: { must: [], may: ['schema', 'example', 'examples', 'encoding'] },
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const types = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

/** Everything that is wrong with a document. */
export function problemsIn(document: unknown): readonly string[] {
  const problems: string[] = []
  const blame = (at: string, what: string) => void problems.push(`${at}: ${what}`)

  function object(kind: string, value: unknown, at: string): Json {
    if (!isObject(value)) {
      blame(at, 'is no object')
      return {}
    }
    const { must, may } = keysOf[kind] ?? { must: [], may: [] }
    for (const key of must) if (!(key in value)) blame(at, `lacks ${key}`)
    for (const key of Object.keys(value))
      if (![...must, ...may].includes(key) && !key.startsWith('x-')) blame(at, `has ${key}, which is unknown there`)
    return value
  }

  function texts(value: Json, names: readonly string[], at: string): void {
    for (const name of names) {
      if (value[name] !== undefined && typeof value[name] !== 'string') blame(`${at}.${name}`, 'is no text')
    }
  }

  function content(value: unknown, at: string): void {
    for (const [media, shown] of Object.entries(isObject(value) ? value : {})) {
      if (!/^[\w.+-]+\/[\w.+*-]+$/.test(media)) blame(at, `${media} is no media type`)
      const { schema: declared } = object('media', shown, `${at}.${media}`)
      if (declared !== undefined) schema(declared, `${at}.${media}`)
    }
  }

  function schema(value: unknown, at: string): void {
    if (typeof value === 'boolean') return
    if (!isObject(value)) return blame(at, 'is no schema')
    const { type, properties, items, required, pattern, $ref } = value
    const named = Array.isArray(type) ? type : type === undefined ? [] : [type]
    for (const one of named) if (!types.has(String(one))) blame(at, `type ${String(one)} is unknown`)
    for (const name of ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']) {
      const count = value[name]
      if (count !== undefined && !(Number.isInteger(count) && Number(count) >= 0)) blame(at, `${name} is no count`)
    }
    for (const name of ['minimum', 'maximum', 'multipleOf'])
      if (value[name] !== undefined && typeof value[name] !== 'number') blame(at, `${name} is no number`)
    if (value['enum'] !== undefined && !Array.isArray(value['enum'])) blame(at, 'enum is no list')
    if (typeof pattern === 'string') new RegExp(pattern, 'u')
    if (required !== undefined) {
      if (!Array.isArray(required)) blame(at, 'required is no list')
      else if (new Set(required).size !== required.length) blame(at, 'required names something twice')
    }
    if ($ref !== undefined && find(document, wordOf($ref)) === undefined) blame(at, `${wordOf($ref)} leads nowhere`)
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) schema(member, `${at}.${name}`)
    for (const key of ['patternProperties', '$defs', 'dependentSchemas'])
      for (const [name, member] of Object.entries(isObject(value[key]) ? value[key] : {}))
        schema(member, `${at}.${name}`)
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const list = value[key]
      if (list === undefined) continue
      if (!Array.isArray(list) || list.length === 0) blame(at, `${key} is no list of schemas`)
      else for (const [index, member] of list.entries()) schema(member, `${at}.${key}[${index}]`)
    }
    if (items !== undefined) schema(items, `${at}[]`)
    for (const key of ['additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains'])
      if (value[key] !== undefined) schema(value[key], `${at}.${key}`)
  }

  const root = object('document', document, 'document')
  if (!/^3\.1\.\d+$/.test(String(root['openapi']))) blame('openapi', 'is no version 3.1')
  texts(object('info', root['info'], 'info'), ['title', 'version', 'description'], 'info')
  for (const [index, server] of listOf(root['servers']).entries()) object('server', server, `servers[${index}]`)
  const tags = listOf(root['tags']).map((tag, index) => object('tag', tag, `tags[${index}]`)['name'])
  if (new Set(tags).size !== tags.length) blame('tags', 'name something twice')
  const components = isObject(root['components']) ? root['components'] : {}
  for (const [kind, members] of Object.entries(components)) {
    for (const [name, member] of Object.entries(isObject(members) ? members : {})) {
      if (!/^[\w.-]+$/.test(name)) blame(`components.${kind}`, `${name} is no name`)
      if (kind === 'schemas') schema(member, `components.schemas.${name}`)
    }
  }

  const ids = new Set<unknown>()
  const shapes = new Map<string, string>()
  for (const [path, item] of Object.entries(isObject(root['paths']) ? root['paths'] : {})) {
    if (!path.startsWith('/')) blame(path, 'begins with no slash')
    const shape = path.replace(/\{[^}]*\}/g, '{}')
    const twin = shapes.get(shape)
    if (twin !== undefined) blame(path, `cannot be told from ${twin}`)
    shapes.set(shape, path)
    for (const [method, declared] of Object.entries(isObject(item) ? item : {})) {
      if (!methods.has(method)) blame(`${path}.${method}`, 'is no method')
      operation(path, `${method} ${path}`, declared)
    }
  }

  function operation(path: string, at: string, declared: unknown): void {
    const value = object('operation', declared, at)
    if (ids.has(value['operationId'])) blame(at, `operationId ${String(value['operationId'])} is there twice`)
    ids.add(value['operationId'])
    for (const tag of listOf(value['tags'])) if (!tags.includes(tag)) blame(at, `tag ${String(tag)} is not declared`)
    const seen = new Set<string>()
    for (const [index, one] of listOf(value['parameters']).entries()) {
      const place = `${at}.parameters[${index}]`
      const parameter = object('parameter', one, place)
      const key = `${String(parameter['in'])} ${String(parameter['name'])}`
      if (seen.has(key)) blame(place, `${key} is declared twice`)
      seen.add(key)
      if (!['path', 'query', 'header', 'cookie'].includes(String(parameter['in']))) blame(place, 'is nowhere')
      if (parameter['in'] === 'path' && parameter['required'] !== true) blame(place, 'is of the path and not required')
      if ((parameter['schema'] === undefined) === (parameter['content'] === undefined))
        blame(place, 'has neither schema nor content, or both')
      schema(parameter['schema'] ?? true, place)
    }
    const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => `path ${name}`)
    for (const name of named) if (!seen.has(name)) blame(at, `${name} is not declared`)
    for (const key of seen) if (key.startsWith('path ') && !named.includes(key)) blame(at, `${key} is not in the path`)
    if (value['requestBody'] !== undefined)
      content(object('body', value['requestBody'], `${at}.requestBody`)['content'], `${at}.requestBody`)
    const responses = isObject(value['responses']) ? value['responses'] : {}
    if (Object.keys(responses).length === 0) blame(at, 'has no responses')
    for (const [code, response] of Object.entries(responses)) {
      if (!/^(?:[1-5]\d\d|[1-5]XX|default)$/.test(code)) blame(at, `${code} is no code`)
      if (isObject(response) && '$ref' in response) {
        if (find(document, String(response['$ref'])) === undefined)
          blame(at, `${String(response['$ref'])} leads nowhere`)
      } else content(object('response', response, `${at}.${code}`)['content'], `${at}.${code}`)
    }
    for (const requirement of listOf(value['security'])) {
      const schemes = isObject(components['securitySchemes']) ? components['securitySchemes'] : {}
      for (const name of Object.keys(isObject(requirement) ? requirement : {}))
        if (!(name in schemes)) blame(at, `security scheme ${name} is not declared`)
    }
  }
  return problems
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function find(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  const steps = ref.slice(2).split('/')
  return steps.reduce<unknown>(
    (at, step) => (isObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    document,
  )
}
