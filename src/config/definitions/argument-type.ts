import { assertNever } from '#kit/brand.ts'
import { isNull, type Node } from '#config/yaml/node.ts'
import type { Parameter } from './parameters.ts'

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Why a value is no argument for a parameter, if so. */
export function argumentProblem(name: string, parameter: Parameter, value: Node): string | undefined {
  if (fits(parameter, value)) return undefined
  const expected = parameter.type === 'enum' ? `enum (one of ${parameter.choices.join(', ')})` : parameter.type
  return `Type error for argument ${name}: expected type: ${expected}, actual value: ${shown(value)} (type ${typeOf(value)})`
}

function fits({ type, choices }: Parameter, value: Node): boolean {
  switch (type) {
    case 'string':
      // A pipeline value that does not apply is null, and as good as empty.
      return value.kind === 'scalar' && (typeof value.value === 'string' || isNull(value))
    case 'boolean':
      return value.kind === 'scalar' && typeof value.value === 'boolean'
    case 'integer':
      return value.kind === 'scalar' && Number.isInteger(value.value)
    case 'enum':
      return value.kind === 'scalar' && choices.includes(value.text)
    case 'executor':
      return value.kind === 'map'
        ? value.entries.has('name')
        : value.kind === 'scalar' && typeof value.value === 'string'
    case 'steps':
      return value.kind === 'list' || isNull(value)
    case 'env_var_name':
      return value.kind === 'scalar' && variableName.test(value.text)
    default:
      return assertNever(type)
  }
}

function shown(value: Node): string {
  if (value.kind !== 'scalar') return value.kind === 'list' ? '[…]' : '{…}'
  return JSON.stringify(value.text.length > 100 ? `${value.text.slice(0, 100)}…` : value.text)
}

function typeOf(value: Node): string {
  if (value.kind !== 'scalar') return value.kind
  if (value.value === null) return 'null'
  if (typeof value.value === 'number') return Number.isInteger(value.value) ? 'integer' : 'number'
  return typeof value.value
}
