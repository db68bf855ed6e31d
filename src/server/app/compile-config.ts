import { withOrbs, withOriginal } from '#config/annotate.ts'
import { compile } from '#config/compile.ts'
import { registryOf } from '#config/orb-registry.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import { Refusal } from '#kit/refusal.ts'
import { noOrbs, sentence } from './compile-pipeline.ts'
import type { World } from './world.ts'

type Given = Readonly<Record<string, unknown>>

/** What a configuration would be compiled to, without a pipeline. Looks at nothing but the orbs that lie here. */
export function compileConfig(world: World, source: string, givenParameters: Given, givenValues: Given) {
  const parameters = plain(givenParameters)
  const values = { ...usualValues, ...plain(givenValues) }
  const compiled = compile(source, { parameters, values, orbs: registryOf(world.orbs ?? noOrbs) })
  return compiled.ok
    ? { valid: true, output: withOriginal(withOrbs(compiled.text, compiled.orbs), source), errors: [] }
    : { valid: false, output: '', errors: compiled.problems.map(sentence) }
}

const usualValues = {
  id: '00000000-0000-0000-0000-000000000001',
  number: 1,
  'git.branch': 'main',
  'git.revision': '0'.repeat(40),
}

/** Names with or without their `pipeline.`; what is null is not there. */
function plain(given: Given): Readonly<Record<string, ParameterValue>> {
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/^pipeline\.(parameters\.)?/, ''), checked(name, value)]),
  )
}

function checked(name: string, value: unknown): ParameterValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Refusal('invalid', `Cannot use ${name} as it must be a text, a number or a boolean`)
}
