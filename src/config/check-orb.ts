import { compile } from './compile.ts'
import type { Registry } from './definitions/orbs.ts'

const around = (reference: string) =>
  `version: 2.1\norbs: {it: "${reference}"}\njobs: {build: {machine: true, steps: [checkout]}}\n`

/** What keeps a text from being the orb of this reference: what a configuration that imports it would be told. */
export function orbProblems(reference: string, text: string, others: Registry): readonly string[] {
  const orbs: Registry = (wanted) => (wanted === reference ? { text, resolved: reference } : others(wanted))
  const compiled = compile(around(reference), { parameters: {}, values: {}, orbs })
  return compiled.ok ? [] : compiled.problems.map(({ message }) => message)
}
