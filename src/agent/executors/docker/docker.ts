import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellEnvFile } from '#agent/job-folder.ts'
import type { Executor } from '#agent/executors/executor.ts'
import { containersWith, labels, removeContainer } from './containers.ts'
import { type CloudOptions, openClouds } from './clouds/clouds.ts'
import { openEngine } from './engine.ts'
import type { PullPolicy } from './images.ts'
import type { Limits } from './limits.ts'
import type { Dock, RemoteDocker } from './dock.ts'
import { openDockerPlace } from './place.ts'
import { readState, sharedFolder, stepsFolder, writeState } from './spool.ts'

/** How an agent uses a docker engine. */
export interface DockerOptions {
  /** `unix:///var/run/docker.sock`. The engine must see the files of this machine. */
  readonly address: string
  readonly pull?: PullPolicy
  /** The engine's network that jobs are put into; its usual one unless given. */
  readonly network?: string
  readonly limits?: Readonly<Record<string, Limits>>
  readonly remoteDocker?: RemoteDocker
  readonly clouds?: CloudOptions
}

/** Runs jobs in containers of an engine on this machine; `owns` tells its folders from those of others. */
export type DockerExecutor = Executor & { owns(folder: string): boolean }

/**
 * Runs each job in a container of its first image, with the others beside it in the same network.
 * Steps are handed to a supervisor inside over a connection that is kept; their files lie in the job's folder, which is mounted.
 */
export function dockerExecutor(folder: string, tools: string, options: DockerOptions): DockerExecutor {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const engine = openEngine(options.address)
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  let known: ReturnType<Dock['about']> | undefined
  let swept: Promise<void> | undefined

  async function about() {
    const { ServerVersion, NCPU } = await engine.ask<{ ServerVersion: string; NCPU: number }>('GET', '/info')
    return { version: ServerVersion, cpus: NCPU }
  }

  const dock: Dock = {
    engine,
    yard: { mark, tools, network: options.network ?? 'bridge' },
    pull: options.pull ?? 'missing',
    clouds: openClouds(options.clouds),
    limits: options.limits ?? {},
    remoteDocker: options.remoteDocker ?? { type: 'none' },
    about: () =>
      (known ??= about().catch((error: unknown) => {
        known = undefined
        throw error
      })),
  }

  /** Removes containers of this agent whose folder is gone: it was killed, or the engine was away, when they should have been. */
  async function sweep(): Promise<void> {
    const kept = new Set(readdirSync(folder))
    for (const { Id, Labels } of await containersWith(engine, `${labels.agent}=${mark}`))
      if (!kept.has(Labels[labels.job] ?? '')) await removeContainer(engine, Id)
  }

  return {
    owns: (path) => readState(path) !== undefined,
    async probe() {
      try {
        await engine.ask('GET', '/_ping', { timeoutMs: 3000 }).catch(ignoreWords)
        await (swept ??= sweep().catch((error: unknown) => {
          swept = undefined
          throw error
        }))
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    async prepare(spec) {
      const path = join(folder, randomBytes(8).toString('hex'))
      try {
        mkdirSync(path, { mode: 0o700 })
        writeState(path, {})
        mkdirSync(stepsFolder(path), { mode: 0o755 })
        mkdirSync(sharedFolder(path))
        writeFileSync(shellEnvFile(sharedFolder(path)), '')
        // Whoever the user of the image is.
        chmodSync(sharedFolder(path), 0o777)
        chmodSync(shellEnvFile(sharedFolder(path)), 0o666)
        return openDockerPlace(dock, path, spec)
      } catch (error) {
        rmSync(path, { recursive: true, force: true })
        throw error
      }
    },
    attach: async (path, spec) => openDockerPlace(dock, path, spec),
    list: () =>
      readdirSync(folder)
        .map((name) => join(folder, name))
        .filter((path) => readState(path)),
    close: async () => engine.close(),
  }
}

/** The answer is the word OK, which is no JSON. */
function ignoreWords(error: unknown): void {
  if (!(error instanceof SyntaxError)) throw error
}
