import type { Settings } from '#cli/declared-settings.ts'
import type { Provider } from '#core/names.ts'
import type { Terms } from '#server/app/world.ts'
import { apiUrlOf, type ProviderKind, type ProviderTerms } from '#server/vcs/providers/terms.ts'

/** The providers as the settings describe them. */
export const providersOf = (settings: Settings): Terms['providers'] => ({
  'provider-a': one(settings, 'provider-a', settings['provider-a-kind']),
  'provider-b': one(settings, 'provider-b', 'bitbucket'),
  'provider-c': one(settings, 'provider-c', 'gitlab'),
})

function one(settings: Settings, code: Provider, kind: ProviderKind): ProviderTerms {
  const webUrl = settings[`${code}-url`]
  const [id, secret] = [settings[`${code}-client-id`], settings[`${code}-client-secret`]]
  if ((id === undefined) !== (secret === undefined))
    throw new Error(`Cannot use ${code}-client-id and ${code}-client-secret but together: one of them is not set`)
  return {
    kind,
    webUrl,
    apiUrl: settings[`${code}-api-url`] ?? apiUrlOf(kind, webUrl),
    token: settings[`${code}-token`],
    client: id === undefined || secret === undefined ? undefined : { id, secret },
  }
}
