/** Where an image lies that names no registry. */
export const usualRegistry = 'https://index.docker.io/v1/'

/** The registry that an image names with its first part, if that looks like a host. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/')
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : usualRegistry
}

/** A registry of Amazon: where its users are known, and who gives roles there. */
export interface AmazonRegistry {
  readonly service: 'ecr' | 'ecr-public'
  readonly region: string
  /** Hosts of the interfaces of its region. */
  readonly ecr: string
  readonly sts: string
}

/** Whoever has an account is not looked at: examples have words there, and Amazon knows better. */
const amazon = new RegExp(
  '^[a-z0-9_-]+\\.dkr([.-])ecr(-fips)?\\.([a-z0-9-]+)\\.' +
    '(amazonaws\\.(?:com(?:\\.cn)?|eu)|on\\.(?:aws|amazonwebservices\\.com\\.cn)|' +
    'sc2s\\.sgov\\.gov|c2s\\.ic\\.gov|cloud\\.adc-e\\.uk|csp\\.hci\\.ic\\.gov)(?::443)?$',
)

/** What a host says of a registry of Amazon, in its plain, dual-stack and FIPS forms; undefined for any other host. */
export function amazonRegistry(host: string): AmazonRegistry | undefined {
  const name = host.toLowerCase()
  if (name === 'public.ecr.aws' || name === 'ecr-public.aws.com')
    return {
      service: 'ecr-public',
      // The only region that gives tokens for it.
      region: 'us-east-1',
      ecr: 'api.ecr-public.us-east-1.amazonaws.com',
      sts: 'sts.us-east-1.amazonaws.com',
    }
  const [, mark, fips = '', region, domain = ''] = amazon.exec(name) ?? []
  if (region === undefined) return undefined
  // The role givers of the government's regions are of that kind under their plain names, and have no others.
  const sts = `sts${region.startsWith('us-gov-') ? '' : fips}.${region}`
  if (domain.startsWith('on.')) {
    if (mark !== '-') return undefined
    const api = domain === 'on.aws' ? 'api.aws' : 'api.amazonwebservices.com.cn'
    return { service: 'ecr', region, ecr: `ecr${fips}.${region}.${api}`, sts: `${sts}.${api}` }
  }
  const ecr = fips === '' ? 'api.ecr' : 'ecr-fips'
  return { service: 'ecr', region, ecr: `${ecr}.${region}.${domain}`, sts: `${sts}.${domain}` }
}

/** Whether a registry is Google's: Artifact Registry, or the one before it. */
export const isGoogleRegistry = (host: string): boolean =>
  /^(?:(?:[a-z0-9-]+\.)?gcr\.io|[a-z0-9-]+\.pkg\.dev)(?::443)?$/i.test(host)

/**
 * The full name of a provider of identities at Google: people write the pool in full and of the provider only its name, or the
 * provider in full. Undefined where neither says which project it is.
 */
export function workloadProvider(pool: string, provider: string): string | undefined {
  const plain = (text: string) => text.trim().replace(/^(?:https:)?\/\/iam\.googleapis\.com\/(?:v1\/)?|^\/+|\/+$/g, '')
  const place = '^projects/[^/]+/locations/[^/]+/workloadIdentityPools/[^/]+'
  if (new RegExp(`${place}/providers/[^/]+$`).test(plain(provider))) return plain(provider)
  const name = plain(provider).replace(/^providers\//, '')
  return new RegExp(`${place}$`).test(plain(pool)) && /^[^/]+$/.test(name)
    ? `${plain(pool)}/providers/${name}`
    : undefined
}
