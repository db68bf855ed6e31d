import { assertNever } from '#kit/brand.ts'
import type { DeclaredParameter } from '#contract/rh/project-page.ts'

type Value = string | number | boolean

/** What somebody chose, by the names of the parameters; what is not there is as declared. */
export type Chosen = Readonly<Record<string, string | boolean>>

/** What a parameter is, as its field shows it. */
export const shownValue = ({ name, default: usual }: DeclaredParameter, chosen: Chosen): string | boolean =>
  chosen[name] ?? (typeof usual === 'boolean' ? usual : String(usual ?? ''))

/** The parameters to send: only those that differ from what is declared, each as its type wants it. */
export function parametersToSend(
  declared: readonly DeclaredParameter[],
  chosen: Chosen,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    declared.flatMap((parameter): [string, Value][] => {
      const value = shownValue(parameter, chosen)
      const typed = parameter.type === 'integer' ? Number(value) : value
      return typed === parameter.default ? [] : [[parameter.name, typed]]
    }),
  )
}

const mostLetters = 512

/** What is wrong with what was chosen, by the names of the parameters. */
export function problemsIn(
  declared: readonly DeclaredParameter[],
  chosen: Chosen,
): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(
    declared.flatMap((parameter) => {
      const problem = problemOf(parameter, shownValue(parameter, chosen))
      return problem === undefined ? [] : [[parameter.name, problem]]
    }),
  )
}

function problemOf({ name, type, default: usual, choices }: DeclaredParameter, value: string | boolean) {
  const text = String(value)
  switch (type) {
    case 'boolean':
      return undefined
    case 'integer':
      return /^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(Number(text))
        ? undefined
        : `${name} must be a whole number, like 3`
    case 'enum':
      return choices.includes(text) ? undefined : `${name} must be one of ${choices.join(', ')}`
    case 'string':
      if (text === '' && usual === null) return `${name} must be given: the configuration has no default for it`
      return text.length > mostLetters ? `${name} must not be longer than ${mostLetters} letters` : undefined
    default:
      return assertNever(type)
  }
}
