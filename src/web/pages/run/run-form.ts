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
