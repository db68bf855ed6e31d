import { withOrbs, withOriginal } from '#config/annotate.ts'
import { compile } from '#config/compile.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import { Refusal } from '#kit/refusal.ts'
import { sentence } from './compile-pipeline.ts'
import { noOrbs, type OrbSources, withSources } from './orb-sources.ts'
import type { World } from './world.ts'

type Given = Readonly<Record<string, unknown>>

/** What a configuration would be compiled to, without a pipeline. */
export async function compileConfig(
  world: World,
  source: string,
  givenParameters: Given,
  givenValues: Given,
  orbs: OrbSources = world.orbs ?? noOrbs,
) {
  const parameters = plain(givenParameters)
  const values = { ...usualValues, ...plain(givenValues) }
  const { result: compiled } = await withSources(orbs, (registry) =>
    compile(source, { parameters, values, orbs: registry }),
  )
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
