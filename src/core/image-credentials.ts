import type { Image } from './plan.ts'

/** The credentials of an image with their variables filled in, or why there are none. */
export type Credentials =
  | { readonly type: 'none' }
  | { readonly type: 'password'; readonly username: string; readonly password: string }
  | { readonly type: 'unusable'; readonly reason: string }

const reference = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/**
 * What an image is to be pulled with. Credentials are the one thing of a configuration in which `$NAME` and `${NAME}` mean
 * variables of the job (A4). One that is not set, as in the code of a fork, leaves the image without credentials, which is
 * enough for a public one.
 */
export function credentialsOf(
  { auth, awsAuth, gcpAuth }: Image,
  variables: Readonly<Record<string, string>>,
): Credentials {
  const given = [...Object.values(auth ?? {}), ...Object.values(awsAuth ?? {}), ...Object.values(gcpAuth ?? {})]
  if (given.length === 0) return { type: 'none' }
  const named = given.flatMap((text) => Array.from(text.matchAll(reference), (match) => match[1] ?? match[2] ?? ''))
  const unset = [...new Set(named)].filter((name) => (variables[name] ?? '') === '')
  if (unset.length > 0)
    return { type: 'unusable', reason: `they name ${unset.join(' and ')}, which the job does not have` }
  if (!auth) return { type: 'unusable', reason: `${awsAuth ? 'aws_auth' : 'gcp_auth'} cannot be used here, only auth` }
  const filled = (text: string) =>
    text.replace(reference, (_, braced?: string, plain?: string) => variables[braced ?? plain ?? ''] ?? '')
  return { type: 'password', username: filled(auth.username), password: filled(auth.password) }
}
