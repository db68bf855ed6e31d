/** Where the interfaces of clouds are, where that is not where they usually are: behind a private link, or in tests. */
export interface CloudEndpoints {
  readonly ecr?: string
  readonly 'ecr-public'?: string
  readonly sts?: string
  readonly 'google-sts'?: string
  readonly 'google-iamcredentials'?: string
}

/** The variables by which the clouds' own tools are told the same. */
const variables: Readonly<Record<keyof CloudEndpoints, string>> = {
  ecr: 'AWS_ENDPOINT_URL_ECR',
  'ecr-public': 'AWS_ENDPOINT_URL_ECR_PUBLIC',
  sts: 'AWS_ENDPOINT_URL_STS',
  'google-sts': 'CLOUDSDK_API_ENDPOINT_OVERRIDES_STS',
  'google-iamcredentials': 'CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS',
}

const proxies = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']

type Words = Readonly<Record<string, string | undefined>>

/** What the environment of an agent says of the way to clouds. That of a job says nothing: others' secrets would follow it. */
export function cloudsIn(environment: Words): {
  readonly endpoints: CloudEndpoints
  readonly proxy: Readonly<Record<string, string>>
} {
  const endpoints: Record<string, string> = {}
  for (const [what, name] of Object.entries(variables)) {
    const text = environment[name] ?? ''
    if (text === '') continue
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || new URL(text).search !== '')
      throw new Error(`Cannot use ${name} as it must be an http or https address: it is ${text}`)
    endpoints[what] = text
  }
  const proxy = proxies.flatMap((name) =>
    (environment[name] ?? '') === '' ? [] : [[name, environment[name] ?? ''] as const],
  )
  return { endpoints, proxy: Object.fromEntries(proxy) }
}

/** The address of a path of an interface, below where the operator says that it is or where it usually is. */
export function addressOf(endpoint: string | undefined, usualHost: string, path: string): URL {
  return new URL((endpoint ?? `https://${usualHost}`).replace(/\/+$/, '') + path)
}
