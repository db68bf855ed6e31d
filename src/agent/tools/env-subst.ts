import { Wrong } from './wrong.ts'

type Variables = ReadonlyMap<string, string>

const mostDeep = 50

/**
 * Puts the values of variables in the place of `$NAME` and `${NAME}`, with the defaults of a shell: `${NAME:-text}`, `-`, `:=`, `=`,
 * `:+`, `+`, whose text may hold variables again; `${#NAME}` is a length, and `$$` a dollar that stays. What is not set is empty.
 */
export function substitute(text: string, variables: Variables, depth = 0): string {
  if (depth > mostDeep) throw new Wrong(`bad substitution: more than ${mostDeep} in each other`)
  let out = ''
  let at = 0
  while (at < text.length) {
    const dollar = text.indexOf('$', at)
    if (dollar === -1) return out + text.slice(at)
    out += text.slice(at, dollar)
    const [plain] = /^[A-Za-z_]\w*/.exec(text.slice(dollar + 1, dollar + 300)) ?? []
    if (text[dollar + 1] === '{') {
      const end = closing(text, dollar + 2)
      out += expanded(text.slice(dollar + 2, end), variables, depth)
      at = end + 1
    } else if (text[dollar + 1] === '$') {
      out += '$'
      at = dollar + 2
    } else if (plain !== undefined) {
      out += variables.get(plain) ?? ''
      at = dollar + 1 + plain.length
    } else {
      out += '$'
      at = dollar + 1
    }
  }
  return out
}

/** Where the brace that was opened before `from` is closed. */
function closing(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{' && text[at - 1] === '$') open++
    else if (text[at] === '}' && --open === 0) return at
  }
  throw new Wrong(`closing brace expected: \${${text.slice(from, from + 50)}`)
}

function expanded(expression: string, variables: Variables, depth: number): string {
  const [, length] = /^#([A-Za-z_]\w*)$/.exec(expression) ?? []
  if (length !== undefined) return String((variables.get(length) ?? '').length)
  const [, name, how = '', other = ''] = /^([A-Za-z_]\w*)(?:(:?[-=+])([^]*))?$/.exec(expression) ?? []
  if (name === undefined) throw new Wrong(`bad substitution: \${${expression.slice(0, 100)}}`)
  const value = variables.get(name)
  const isThere = how.startsWith(':') ? value !== undefined && value !== '' : value !== undefined
  const otherwise = () => substitute(other, variables, depth + 1)
  if (how.endsWith('+')) return isThere ? otherwise() : ''
  if (how !== '' && !isThere) return otherwise()
  return value ?? ''
}
