import { workloadProvider } from '#kit/image-registry.ts'
import { asMap, checkKeys, textAt } from '#config/read.ts'
import { blame, type Trail } from '#config/trail.ts'
import { get, isNull, type MapNode, type Place } from '#config/yaml/node.ts'

type Words = Readonly<Record<string, string>>

const authKeys = ['username', 'password']
const awsKeys = ['aws_access_key_id', 'aws_secret_access_key', 'oidc_role_arn']
const gcpKeys = ['oidc_service_account', 'workload_identity_pool', 'workload_identity_provider']

/** What is said about the credentials of one image. */
export interface ImageAuth {
  readonly auth?: { readonly username: string; readonly password: string }
  readonly awsAuth?: Words
  readonly gcpAuth?: Words
}

/**
 * Reads the credentials of an image, and blames what could never open any registry. Values may name variables. Which registry the image
 * is at is not looked at: of several kinds the job uses the one that fits.
 */
export function readImageAuth(map: MapNode, trail: Trail): ImageAuth {
  const auth = wordsAt(map, 'auth', authKeys, trail)
  const aws = wordsAt(map, 'aws_auth', awsKeys, trail)
  const gcp = wordsAt(map, 'gcp_auth', gcpKeys, trail)
  if (aws) checkAws(aws.said, aws.place, trail)
  if (gcp) checkGcp(gcp.said, gcp.place, trail)
  return {
    ...(auth && { auth: { username: auth.said['username'] ?? '', password: auth.said['password'] ?? '' } }),
    ...(aws && { awsAuth: aws.said }),
    ...(gcp && { gcpAuth: gcp.said }),
  }
}

/** What is empty counts as not said: parameters of orbs are, when nobody sets them. Where all is, there are no credentials. */
function wordsAt(map: MapNode, key: string, known: readonly string[], trail: Trail) {
  const node = get(map, key)
  const given = node && !isNull(node) ? asMap(node, trail, key) : undefined
  if (!given) return undefined
  checkKeys(given, known, trail)
  const all = [...given.entries.keys()].map((name) => [name, textAt(given, name, trail) ?? ''] as const)
  const said = Object.fromEntries(all.filter(([, text]) => text !== ''))
  return all.length > 0 && Object.keys(said).length === 0 ? undefined : { said, place: given }
}

function checkAws(said: Words, place: Place, trail: Trail): void {
  const [id, secret, role] = awsKeys.map((key) => said[key])
  const both = 'aws_access_key_id and aws_secret_access_key'
  if (role !== undefined && (id ?? secret) !== undefined)
    blame(trail, place, `[aws_auth] takes either ${both}, or oidc_role_arn: it has both`)
  else if (role === undefined && id === undefined && secret === undefined)
    blame(trail, place, `[aws_auth] needs ${both}, or oidc_role_arn`)
  else if (role === undefined && (id === undefined || secret === undefined))
    blame(trail, place, `[aws_auth] needs ${both}: it lacks ${id === undefined ? awsKeys[0] : awsKeys[1]}`)
}

function checkGcp(said: Words, place: Place, trail: Trail): void {
  const missing = gcpKeys.filter((key) => said[key] === undefined)
  if (missing.length > 0)
    blame(trail, place, `[gcp_auth] needs ${gcpKeys.join(', ')}: it lacks ${missing.join(' and ')}`)
  else if (!Object.values(said).some((text) => text.includes('$'))) {
    const { workload_identity_pool: pool = '', workload_identity_provider: provider = '' } = said
    if (workloadProvider(pool, provider) === undefined)
      blame(
        trail,
        place,
        `[gcp_auth] must say which pool it is as projects/<number>/locations/global/workloadIdentityPools/<pool>: it is ${pool}`,
      )
  }
}
