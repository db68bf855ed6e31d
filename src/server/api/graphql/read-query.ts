import { Refusal } from '#kit/refusal.ts'

/** What is asked of an object: its name, what it shall be called in the answer, and what is asked of it in turn. */
export interface Field {
  readonly name: string
  readonly alias: string
  readonly args: Readonly<Record<string, unknown>>
  readonly fields: readonly Field[]
}

/** An operation, with its fragments and variables put in. */
export interface Query {
  readonly type: 'query' | 'mutation'
  readonly fields: readonly Field[]
}

const word =
  /[\s,\uFEFF]+|#[^\n]*|(?<token>\.\.\.|"""[^]*?"""|"(?:\\.|[^"\\\n])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[_A-Za-z]\w*|[{}()[\]:=!|@&$])/y
const name = /^[_A-Za-z]\w*$/
const deepest = 20
const mostFields = 1_000

type Selection =
  | { readonly field: Field & { readonly inner: readonly Selection[] } }
  | { readonly spread: string }
  | readonly Selection[]

/** Reads a GraphQL document of the kind that clients write: one operation, variables, fragments, aliases; no directives. */
export function readQuery(text: string, variables: Readonly<Record<string, unknown>>): Query {
  const tokens = tokensOf(text)
  let at = 0
  let fields = 0
  const peek = (): string => tokens[at] ?? ''
  const next = (): string => tokens[at++] ?? refuse('the end was not expected')
  const take = (wanted: string): boolean => peek() === wanted && at++ >= 0
  const must = (wanted: string): void =>
    void (take(wanted) || refuse(`${wanted} was expected, not ${peek() || 'the end'}`))
  const mustName = (): string =>
    name.test(peek()) ? next() : refuse(`a name was expected, not ${peek() || 'the end'}`)

  function value(depth: number): unknown {
    if (depth > deepest) refuse('it is nested too deeply')
    const token = next()
    if (token === '$') return variables[mustName()] ?? null
    if (token === '[') {
      const items: unknown[] = []
      while (!take(']')) items.push(value(depth + 1))
      return items
    }
    if (token === '{') return members('}', depth)
    if (token.startsWith('"""')) return token.slice(3, -3)
    if (token.startsWith('"') || /^-?\d/.test(token)) return parsed(token)
    if (token === 'true' || token === 'false') return token === 'true'
    if (token === 'null') return null
    return name.test(token) ? token : refuse(`${token} is no value`)
  }

  function members(end: string, depth: number): Readonly<Record<string, unknown>> {
    const found: [string, unknown][] = []
    while (!take(end)) {
      const key = mustName()
      must(':')
      found.push([key, value(depth + 1)])
    }
    return Object.fromEntries(found)
  }

  function selections(depth: number): readonly Selection[] {
    if (depth > deepest) refuse('it is nested too deeply')
    const found: Selection[] = []
    must('{')
    while (!take('}')) {
      if (++fields > mostFields) refuse('it asks for too much')
      if (take('...')) {
        if (peek() !== 'on' && name.test(peek())) found.push({ spread: next() })
        else {
          if (take('on')) mustName()
          found.push(selections(depth + 1))
        }
        continue
      }
      const first = mustName()
      const own = take(':') ? mustName() : first
      const args = take('(') ? members(')', depth) : {}
      const inner = peek() === '{' ? selections(depth + 1) : []
      found.push({ field: { name: own, alias: first, args, fields: [], inner } })
    }
    return found
  }

  const fragments = new Map<string, readonly Selection[]>()
  let operation: { readonly type: Query['type']; readonly selected: readonly Selection[] } | undefined
  while (at < tokens.length) {
    if (take('fragment')) {
      const named = mustName()
      must('on')
      mustName()
      fragments.set(named, selections(1))
      continue
    }
    if (operation) refuse('it has more than one operation')
    const type = take('mutation') ? 'mutation' : 'query'
    if (type === 'query') take('query')
    if (peek() !== '{' && peek() !== '(') mustName()
    if (take('(')) while (!take(')')) next()
    operation = { type, selected: selections(1) }
  }
  if (!operation) refuse('it has no operation')

  /** A fragment that is used often counts each time. */
  let flattened = 0
  function flat(selected: readonly Selection[], depth: number): readonly Field[] {
    if (depth > deepest) refuse('it is nested too deeply')
    return selected.flatMap((one): readonly Field[] => {
      if (++flattened > mostFields) refuse('it asks for too much')
      if (isList(one)) return flat(one, depth + 1)
      if ('spread' in one)
        return flat(fragments.get(one.spread) ?? refuse(`there is no fragment ${one.spread}`), depth + 1)
      const { inner, ...field } = one.field
      return [{ ...field, fields: flat(inner, depth + 1) }]
    })
  }
  return { type: operation.type, fields: flat(operation.selected, 1) }
}

const isList = (selection: Selection): selection is readonly Selection[] => Array.isArray(selection)

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  const scanner = new RegExp(word)
  while (scanner.lastIndex < text.length) {
    const from = scanner.lastIndex
    const found = scanner.exec(text) ?? refuse(`${JSON.stringify(text.slice(from, from + 10))} is no word of it`)
    if (found.groups?.['token'] !== undefined) tokens.push(found.groups['token'])
  }
  return tokens
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(token)
  } catch {
    return refuse(`${token} is no value`)
  }
}

function refuse(why: string): never {
  throw new Refusal('invalid', `Cannot read the GraphQL query: ${why}`)
}
