import type { Provider } from '#core/names.ts'
import type { ProviderEvent } from '#core/provider-event.ts'
import { readProviderA } from './provider-a.ts'
import { readProviderB } from './provider-b.ts'
import { readProviderC } from './provider-c.ts'
import { MalformedHook, needMap, type Told } from './read.ts'

const readers: Readonly<Record<Provider, (event: string, told: Told) => ProviderEvent>> = {
  'provider-a': readProviderA,
  'provider-b': readProviderB,
  'provider-c': readProviderC,
}

/** One hook as it was received. */
export interface RawHook {
  readonly event: string
  /** The content type; a form carries the same JSON in its field `payload`. */
  readonly type: string
  readonly body: string
}

/** What a provider told, in our words. Throws `MalformedHook` where it does not have the documented shape. */
export const translate = (provider: Provider, { event, type, body }: RawHook): ProviderEvent =>
  readers[provider](event, toMap(isForm(type) ? (new URLSearchParams(body).get('payload') ?? '') : body))

const isForm = (type: string): boolean =>
  type.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'

function toMap(text: string): Told {
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch {
    throw new MalformedHook('Cannot read the hook as it must be JSON: it is not')
  }
  return needMap(told)
}
