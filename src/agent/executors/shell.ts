import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellEnvFile } from '#agent/job-folder.ts'
import { furnish, obstacleTo } from './cage.ts'
import { readLeaders, writeLeaders } from './command-files.ts'
import type { Executor, Place } from './executor.ts'
import { signalGroup } from './processes.ts'
import { openPlace, type Machine } from './shell-place.ts'
import { startSupervisor, type Supervisor } from './supervisor.ts'

/** How many places are kept ready at most, whatever the number of slots. */
const mostWarm = 16

/**
 * Runs jobs as plain processes of this machine, as the agent's own user, each in a session and a folder of its own.
 * It keeps jobs apart from each other by accident, not by force: whoever may run jobs may do what the agent's user may do.
 *
 * Places are made ahead, and the supervisor of a job that left nothing behind is used for the next one: starting one takes
 * this process 2 to 3 ms, which is more than all the rest of a small job.
 */
export function shellExecutor(folder: string, slots: number, machine: Machine): Executor {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const warm: Warm[] = []
  const wanted = Math.min(slots, mostWarm)
  let closed = false

  function make(spare?: Supervisor): Warm {
    const look = machine.cage?.look()
    return { place: makePlace(folder, refill, machine, spare), look }
  }

  /** One that is locked in sees of the machine what was there when it was made: where that has changed, another is. */
  async function prepare(): Promise<Place> {
    const look = machine.cage?.look()
    for (let next = warm.pop(); next; next = warm.pop()) {
      if (next.look === look) return next.place
      await next.place.destroy()
    }
    return make().place
  }

  function refill(spare?: Supervisor): void {
    try {
      if (spare && (closed || warm.length >= wanted)) signalGroup(spare.leader, 'SIGKILL')
      else if (spare) warm.push(make(spare))
      else while (!closed && warm.length < wanted) warm.push(make())
    } catch {
      // Whoever prepares the next job tries again, and can say for which job it did not work.
    }
  }

  return {
    probe: async () => {
      const obstacle = machine.cage && (await obstacleTo(machine.cage, folder))
      if (obstacle === undefined) refill()
      return obstacle
    },
    prepare,
    attach: async (place) => openPlace(place, readLeaders(place), undefined, refill, machine),
    list: () => readdirSync(folder).map((name) => join(folder, name)),
    close: async () => {
      closed = true
      await Promise.all(warm.splice(0).map(({ place }) => place.destroy()))
    },
  }
}

/** A place that waits for its job. */
interface Warm {
  readonly place: Place
  readonly look: string | undefined
}

function makePlace(
  parent: string,
  recycle: (supervisor?: Supervisor) => void,
  machine: Machine,
  spare?: Supervisor,
): Place {
  const folder = join(parent, randomBytes(8).toString('hex'))
  let supervisor = spare
  try {
    mkdirSync(join(folder, 'home', 'project'), { recursive: true, mode: 0o700 })
    writeFileSync(shellEnvFile(folder), '', { mode: 0o600 })
    if (machine.cage) furnish(folder)
    supervisor ??= startSupervisor(folder, machine.cage)
    spare?.enter(folder)
    writeLeaders(folder, [supervisor.leader])
    return openPlace(folder, [supervisor.leader], supervisor, recycle, machine)
  } catch (error) {
    // As on a full disk: nobody else knows of it.
    if (supervisor) signalGroup(supervisor.leader, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
