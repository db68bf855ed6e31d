import type { Provider } from '#core/names.ts'

/** What a provider speaks. */
export type ProviderKind = 'github' | 'gitea' | 'bitbucket' | 'gitlab'

/** Where a provider is, and by what it knows us. */
export interface ProviderTerms {
  readonly kind: ProviderKind
  /** Where people go, without a slash at the end; also by what identities there are told apart. */
  readonly webUrl: string
  readonly apiUrl: string
  /** What the operator gave us to speak for every project that has no token of its own. */
  readonly token?: string | undefined
  /** Where people may sign in with it. */
  readonly client?: { readonly id: string; readonly secret: string } | undefined
}

/** Where the interface of an edition lies, told from where its pages are. */
export function apiUrlOf(kind: ProviderKind, webUrl: string): string {
  switch (kind) {
    case 'github':
      return webUrl === 'https://github.com' ? 'https://api.github.com' : `${webUrl}/api/v3`
    case 'gitea':
      return `${webUrl}/api/v1`
    case 'bitbucket':
      return webUrl === 'https://bitbucket.org' ? 'https://api.bitbucket.org/2.0' : `${webUrl}/2.0`
    case 'gitlab':
      return `${webUrl}/api/v4`
    default:
      return kind satisfies never
  }
}

/** A provider at an address, before anybody gave us a token. */
export const providerAt = (kind: ProviderKind, webUrl: string): ProviderTerms => ({
  kind,
  webUrl,
  apiUrl: apiUrlOf(kind, webUrl),
})

/** The public editions: what holds where the operator says nothing. */
export const publicProviders: Readonly<Record<Provider, ProviderTerms>> = {
  'provider-a': providerAt('github', 'https://github.com'),
  'provider-b': providerAt('bitbucket', 'https://bitbucket.org'),
  'provider-c': providerAt('gitlab', 'https://gitlab.com'),
}
