interface Schema {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly { readonly required?: readonly string[] }[]
  readonly allOf?: readonly { readonly anyOf?: readonly { readonly required?: readonly string[] }[] }[]
  readonly items?: Schema
  readonly minItems?: number
  readonly minimum?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

const formats: Readonly<Record<string, string>> = {
  uuid: '5034460f-c7c4-4c43-9457-de07e2029e7b',
  'date-time': '2026-01-02T12:00:00.000Z',
}

/** Words that fit where a name alone says what is meant. */
const words: Readonly<Record<string, string>> = {
  branch: 'main',
  tag: 'v1.0.0',
  login: 'ada',
  actor: 'ada',
  name: 'build',
  repo: 'web',
  org: 'acme',
  organization: 'acme',
  provider: 'provider-a',
  vcs: 'provider-a',
  url: 'https://example.com/',
  slug: 'provider-a/acme/web',
  project_slug: 'provider-a/acme/web',
  revision: 'f454a02b5d10fcccfd7d9dd7608a76d6493a98b4',
  variable: 'DEPLOY_KEY',
  env_var_name: 'DEPLOY_KEY',
  email: 'ada@example.com',
  password: 'correct horse battery',
  resource_class: 'acme/gpu',
  times: '0:0',
  ttl: '1h',
  claims: 'audience',
  parameters: 'branch',
}

/** An example of what a schema describes: complete, and of several possible forms the first. */
export function exampleOf(declared: unknown, name = ''): unknown {
  const schema = declared as Schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0], name)
  if (schema.type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => exampleOf(schema.items ?? {}, name))
  if (schema.patternProperties) {
    const key = words[name] ?? 'key'
    return { [key]: exampleOf(Object.values(schema.patternProperties)[0] ?? {}, key) }
  }
  if (schema.properties) return objectOf(schema)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return formats[schema.format ?? ''] ?? textOf(schema, name)
    default:
      return { key: 'value' }
  }
}

/** Of members that exclude each other the first, and of two spellings one. */
function objectOf({ properties = {}, oneOf = [], allOf = [] }: Schema): Record<string, unknown> {
  const others = [...oneOf.slice(1), ...allOf.flatMap(({ anyOf = [] }) => anyOf.slice(1))].flatMap(
    ({ required = [] }) => required,
  )
  const members = Object.entries(properties).filter(([name]) => !others.includes(name))
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, name)]))
}

const digits = '0123456789abcdef'

function textOf({ pattern, minLength = 0 }: Schema, name: string): string {
  const word = words[name] ?? 'text'
  if (pattern === undefined) return word.padEnd(minLength, 'x')
  const shape = new RegExp(pattern, 'u')
  return [word, 'TEXT', digits, digits + digits].find((text) => shape.test(text)) ?? word
}
