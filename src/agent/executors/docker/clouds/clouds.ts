import { createHash } from 'node:crypto'
import type { JobSpec } from '#contract/agent.ts'
import { assertNever } from '#kit/brand.ts'
import { amazonRegistry, isGoogleRegistry, registryOf, workloadProvider } from '#kit/image-registry.ts'
import { Unready } from '#agent/executors/executor.ts'
import { CloudAway, CloudRefusal, type Outward } from './ask.ts'
import type { CloudEndpoints } from './endpoints.ts'
import type { Login } from './login.ts'

/** What a job shows a cloud. */
export type CloudAuth = NonNullable<Extract<JobSpec['executor'], { type: 'docker' }>['images'][number]['cloud_auth']>

/** How an agent gets credentials of clouds. */
export interface CloudOptions {
  readonly endpoints?: CloudEndpoints
  readonly proxy?: Readonly<Record<string, string>>
  /** Whether there is nobody whom a cloud could ask about the identity of jobs: they run here, without a server. */
  readonly alone?: boolean
}

/** A login, and whether it was there already. */
export interface Found extends Login {
  readonly key: string
  readonly kept: boolean
}

/** What it takes to get a login. */
export interface Wish {
  readonly image: string
  readonly auth: CloudAuth
  /** The id of the job. */
  readonly job: string
  readonly signal: AbortSignal
}

/** A login with less left is not begun with: a pull takes its time. */
const leastLeftMs = 5 * 60_000
const mostKept = 500

/**
 * The clouds, as far as they give credentials for their registries. What they give is kept in memory until it ends: by who asked and
 * for what. Where that is a job with its identity token, nobody else ever asks with the same: what a role may do is the cloud's
 * decision for each job, and not that of whoever asked first.
 */
export function openClouds({ endpoints = {}, proxy = {}, alone = false }: CloudOptions = {}) {
  const kept = new Map<string, Login>()

  async function fresh({ image, auth, job, signal }: Wish): Promise<Login> {
    const registry = registryOf(image)
    const outward: Outward = { proxy, signal }
    const cloud = auth.type === 'gcp_account' ? 'Google' : 'Amazon'
    const cannot = (why: string, fault: 'job' | 'agent') =>
      new Unready(`Cannot get credentials for ${registry} from ${cloud}: ${why}`, fault)
    try {
      switch (auth.type) {
        case 'aws_keys':
        case 'aws_role': {
          const at = amazonRegistry(registry)
          if (!at) throw new CloudRefusal('this registry is not theirs')
          const { assumeRole, loginByKeys } = await import('./amazon.ts')
          const keys =
            auth.type === 'aws_keys'
              ? { accessKeyId: auth.access_key_id, secretAccessKey: auth.secret_access_key }
              : await assumeRole(
                  at,
                  { roleArn: auth.role_arn, token: auth.token, session: `roundhouse-${job}` },
                  endpoints,
                  outward,
                )
          return await loginByKeys(at, keys, endpoints, outward)
        }
        case 'gcp_account': {
          if (!isGoogleRegistry(registry)) throw new CloudRefusal('this registry is not theirs')
          const { account, token } = auth
          const provider = workloadProvider(auth.pool, auth.provider)
          if (provider === undefined)
            throw new CloudRefusal(
              `the pool must be projects/<number>/locations/global/workloadIdentityPools/<pool>: it is ${auth.pool}`,
            )
          const { loginByAccount } = await import('./google.ts')
          return await loginByAccount({ account, provider, token }, endpoints, outward)
        }
        default:
          return assertNever(auth)
      }
    } catch (error) {
      if (error instanceof CloudRefusal) throw cannot(error.message, 'job')
      if (error instanceof CloudAway) throw cannot(error.message, 'agent')
      throw error
    }
  }

  return {
    /** Why there is no use in asking with these, if there is none. */
    obstacle: (auth: CloudAuth): string | undefined =>
      alone && auth.type !== 'aws_keys'
        ? 'there is no identity token without a server that others can ask about it'
        : undefined,

    /** Resolves with a login that is good for a while; rejects with `Unready`, or the reason of the signal. */
    async login(wish: Wish): Promise<Found> {
      const key = keyOf(wish)
      const known = kept.get(key)
      if (known && known.endsAt - leastLeftMs > Date.now()) return { ...known, key, kept: true }
      const made = await fresh(wish)
      kept.delete(key)
      kept.set(key, made)
      for (const [old, { endsAt }] of kept) if (endsAt < Date.now() || kept.size > mostKept) kept.delete(old)
      return { ...made, key, kept: false }
    },

    /** It was refused: nobody is to get it again. */
    forget: ({ key }: Found): void => void kept.delete(key),
  }
}

export type Clouds = ReturnType<typeof openClouds>

/** Who asks for what. The registry's account is part of it, though what Amazon gives to one opens others too. */
function keyOf({ image, auth }: Wish): string {
  return createHash('sha256')
    .update(JSON.stringify([registryOf(image), Object.entries(auth).toSorted()]))
    .digest('base64')
}
