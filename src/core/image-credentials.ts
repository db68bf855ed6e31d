import { amazonRegistry, isGoogleRegistry, registryOf, usualRegistry } from '#kit/image-registry.ts'
import type { Image } from './plan.ts'

/** What a cloud gives credentials for its registry in return for. */
export type CloudAuth =
  | { readonly type: 'aws-keys'; readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly type: 'aws-role'; readonly roleArn: string; readonly token: string }
  | {
      readonly type: 'gcp-account'
      readonly account: string
      readonly pool: string
      readonly provider: string
      readonly token: string
    }

/** The credentials of an image with their variables filled in, or why there are none. */
export type Credentials =
  | { readonly type: 'none' }
  | { readonly type: 'password'; readonly username: string; readonly password: string }
  | { readonly type: 'cloud'; readonly auth: CloudAuth }
  | { readonly type: 'unusable'; readonly reason: string }

type Words = Readonly<Record<string, string>>

const reference = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/**
 * What an image is to be pulled with. Credentials are the one thing of a configuration in which `$NAME` and `${NAME}` mean
 * variables of the job (A4). One that is not set, as in the code of a fork, leaves the image without credentials, which is
 * enough for a public one; so does a cloud that wants to know the job where the job cannot say who it is.
 */
export function credentialsOf(image: Image, variables: Words, identity: string | undefined): Credentials {
  const { auth, awsAuth, gcpAuth, misfit } = fitting(image)
  if (misfit !== undefined) return { type: 'unusable', reason: misfit }
  const given = [...Object.values(auth ?? {}), ...Object.values(awsAuth ?? {}), ...Object.values(gcpAuth ?? {})]
  if (given.length === 0) return { type: 'none' }
  const named = given.flatMap((text) => Array.from(text.matchAll(reference), (match) => match[1] ?? match[2] ?? ''))
  const unset = [...new Set(named)].filter((name) => (variables[name] ?? '') === '')
  if (unset.length > 0)
    return { type: 'unusable', reason: `they name ${unset.join(' and ')}, which the job does not have` }
  const filled = (text = '') =>
    text.replace(reference, (_, braced?: string, plain?: string) => variables[braced ?? plain ?? ''] ?? '')
  if (auth) return { type: 'password', username: filled(auth.username), password: filled(auth.password) }
  if (awsAuth?.['aws_access_key_id'] !== undefined) {
    const { aws_access_key_id: id, aws_secret_access_key: secret } = awsAuth
    return { type: 'cloud', auth: { type: 'aws-keys', accessKeyId: filled(id), secretAccessKey: filled(secret) } }
  }
  if (identity === undefined)
    return { type: 'unusable', reason: 'the job has no identity token to show for them, as the code of a fork' }
  if (awsAuth) {
    return {
      type: 'cloud',
      auth: { type: 'aws-role', roleArn: filled(awsAuth['oidc_role_arn']), token: identity },
    }
  }
  return {
    type: 'cloud',
    auth: {
      type: 'gcp-account',
      account: filled(gcpAuth?.['oidc_service_account']),
      pool: filled(gcpAuth?.['workload_identity_pool']),
      provider: filled(gcpAuth?.['workload_identity_provider']),
      token: identity,
    },
  }
}

type Auths = Pick<Image, 'auth' | 'awsAuth' | 'gcpAuth'> & { readonly misfit?: string }

/** Of several kinds of credentials the one that the registry of the image takes. */
function fitting({ image, auth, awsAuth, gcpAuth }: Image): Auths {
  const registry = registryOf(image)
  if (awsAuth && amazonRegistry(registry)) return { awsAuth }
  if (gcpAuth && isGoogleRegistry(registry)) return { gcpAuth }
  if (auth) return { auth }
  const at = `${image} is at ${registry === usualRegistry ? 'Docker Hub' : registry}`
  if (awsAuth) return { misfit: `aws_auth is for registries of Amazon, and ${at}` }
  return gcpAuth ? { misfit: `gcp_auth is for registries of Google, and ${at}` } : {}
}
