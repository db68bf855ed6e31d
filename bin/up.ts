import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Resolved, toldOf, UnusableSetting } from '#cli/settings.ts'
import { openEdge } from '#server/api/server.ts'
import { openApp } from '#server/app/app.ts'
import { resumeStatuses } from '#server/app/commit-statuses.ts'
import { resumeKeys } from '#server/app/key-registrations.ts'
import { resumeHooks } from '#server/app/receive-hook.ts'
import { resumeDeliveries } from '#server/app/lanes.ts'
import { resumeLeases } from '#server/app/leases.ts'
import { ensureAdmin, newSignInKey } from '#server/app/people.ts'
import { recoverPushes } from '#server/app/pushes.ts'
import { newToken } from '#server/app/seal.ts'
import { startWork } from '#server/work/loops.ts'
import { embeddedAgent } from './embedded-agent.ts'
import { giveBackWhenIdle } from './give-back.ts'
import { ownFile } from './keys.ts'
import { root, version } from './root.ts'
import { pushSample } from './sample.ts'
import { openWorld } from './world.ts'

/** Starts everything, says where it is, and runs until it is asked to stop. */
export async function up(resolved: Resolved): Promise<void> {
  try {
    await run(resolved.settings)
    process.exit(0)
  } catch (error) {
    if (error instanceof UnusableSetting) {
      console.error(toldOf(error, resolved))
      process.exit(2)
    }
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

async function run(settings: Resolved['settings']): Promise<void> {
  const stop = stopSignal()
  let own: { readonly agent: string; readonly folder: string } | undefined
  await using opened = await openWorld(settings, (agent) => (agent === own?.agent ? own.folder : undefined))
  const { world, folder } = opened
  const app = openApp(world)
  const tokenFile = join(folder, 'admin-token')
  const token = settings['admin-token'] ?? ownFile(tokenFile, () => newToken('user')).content
  const admin = await ensureAdmin(world, 'admin', token)
  const pages = join(root, 'dist', 'web')
  const http = await openEdge(app, {
    version,
    pages: existsSync(pages) ? pages : undefined,
    isDraining: () => stop.aborted,
    trustedProxies: settings['trusted-proxies'],
  })
  const { host, port } = hostAndPort(settings.listen)
  await http.listen({ host, port }).catch((error: unknown) => refuseListen(error))
  // With SQLite nobody else can have been sending anything, or have heard of any job, while we were away.
  if (settings['database-url'] === undefined) {
    await resumeDeliveries(world)
    await resumeHooks(world)
    await resumeStatuses(world)
    await resumeKeys(world)
    await resumeLeases(world)
  }
  await using _work = startWork(app)
  const recovered = recoverPushes(world, app.findRevision)
  const base = world.terms.baseUrl
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  await using agent =
    settings['agent-slots'] === 0
      ? undefined
      : await embeddedAgent(world, {
          folder,
          server: local,
          slots: settings['agent-slots'],
          ssh: { listen: settings['ssh-listen'], host: settings['ssh-host'] },
          options: settings['agent-options'],
        })
  using _idle = giveBackWhenIdle()
  own = agent && { agent: agent.id, folder: agent.jobs }
  console.log(`Roundhouse ${version} listens on ${base}`)
  console.log(`Sign in once with ${base}/sign-in#key=${await newSignInKey(world, admin)}`)
  if (settings['admin-token'] === undefined) console.log(`The token of user admin is in ${tokenFile}`)
  console.log(`Push any repository to ${base.replace('://', '://<token>@')}/git/<org>/<repo>.git`)
  await recovered
  if (settings.sample) {
    await pushSample(world, { token, server: local }).catch((error: unknown) =>
      world.log.warn('Cannot push the sample', { error: String(error) }),
    )
  }
  await new Promise<void>((resolve) =>
    stop.aborted ? resolve() : stop.addEventListener('abort', () => resolve(), { once: true }),
  )
  console.log('Stopping: running jobs may end, no new ones begin')
  await agent?.drain(settings['drain-seconds'] * 1000)
  await http.close()
}

/** Aborts when the process is asked to stop; asked again, it stops at once: nothing is lost by that either. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) return
      stop.abort()
      process.once(signal, () => process.exit(0))
    })
  }
  return stop.signal
}

const whyNot: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known',
}

function refuseListen(error: unknown): never {
  const why = whyNot[String((error as NodeJS.ErrnoException).code)]
  throw why === undefined ? error : new UnusableSetting('listen', why)
}

function hostAndPort(listen: string): { readonly host: string; readonly port: number } {
  const colon = listen.lastIndexOf(':')
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) }
}
