import type { JobSpec } from '#contract/agent.ts'
import { assertNever } from '#kit/brand.ts'
import type { Executor, Place } from './executor.ts'

/** What an agent can run jobs with, and what its operator allows. */
export interface Choice {
  readonly shell: Executor
  /** Its `probe` says why there is no engine just now, if so. */
  readonly docker?: (Executor & { owns(folder: string): boolean }) | undefined
  /** Whether docker jobs may run on this machine, without their images, where no engine answers. */
  readonly withoutEngine: 'run' | 'refuse'
  /** The image in which machine jobs run; on the machine itself unless given. */
  readonly machineImage?: string | undefined
}

/** One executor of several: each job goes to the one that its configuration asks for, as far as this agent has it. */
export function executorOf({ shell, docker, withoutEngine, machineImage }: Choice): Executor {
  async function prepare(spec: JobSpec): Promise<Place> {
    const { executor } = spec
    switch (executor.type) {
      case 'docker': {
        // Without a single image there is nothing that an engine could add.
        if (executor.images.length === 0) return shell.prepare(spec)
        const obstacle = docker ? await docker.probe() : 'this agent works without a docker engine'
        if (docker && obstacle === undefined) return docker.prepare(spec)
        if (withoutEngine === 'run') return plainly(await shell.prepare(spec), spec)
        throw new Error(`${obstacle}, and is not allowed to run docker jobs on its own machine`)
      }
      case 'machine': {
        if (!docker || machineImage === undefined) return shell.prepare(spec)
        const images = [{ image: machineImage, environment: {} }]
        return docker.prepare({ ...spec, executor: { type: 'docker', images } })
      }
      case 'macos':
        if (process.platform === 'darwin') return shell.prepare(spec)
        throw new Error('this agent does not run on macOS')
      default:
        return assertNever(executor)
    }
  }

  return {
    prepare,
    async probe() {
      await docker?.probe()
      return shell.probe()
    },
    async attach(folder, spec) {
      if (docker?.owns(folder)) return docker.attach(folder, spec)
      const place = await shell.attach(folder, spec)
      return spec ? plainly(place, spec) : place
    },
    list: () => shell.list(),
    async close() {
      await shell.close()
      await docker?.close()
    },
  }
}

/** A place of this machine for a job that may have wanted a container: it says that there is none. */
function plainly(place: Place, { executor }: JobSpec): Place {
  if (executor.type !== 'docker' || executor.images.length === 0) return place
  const names = executor.images.map(({ image }) => image).join(', ')
  return {
    ...place,
    makeReady: async (say) =>
      say(
        `This agent has no docker engine: the steps run on its own machine.\n` +
          `Not used: ${names}. Services are not started.\n`,
      ),
  }
}
