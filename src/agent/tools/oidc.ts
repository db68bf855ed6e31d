import { flagsOf } from './flags.ts'
import { Wrong } from './wrong.ts'

/** For whom `run oidc get` wants a token: `--claims '{"aud": "them"}'`, or nobody in particular. */
export function audienceIn(args: readonly string[]): string | undefined {
  const { values, rest } = flagsOf(args, { valued: ['claims'], bare: [] })
  if (rest.length > 0) throw new Wrong(`unexpected argument "${rest[0]}"`)
  const text = values.get('claims')
  if (text === undefined) return undefined
  const claims = parsed(text)
  const { aud } = claims
  if (Object.keys(claims).length !== 1 || typeof aud !== 'string' || aud === '')
    throw new Wrong('--claims must be an object with "aud" and nothing else')
  return aud
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // As any other that is no object.
  }
  throw new Wrong('--claims must be JSON: {"aud": "..."}')
}
