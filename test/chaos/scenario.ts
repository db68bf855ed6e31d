import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type House, openHouse } from './house.ts'
import { type Network, openNetwork } from './network.ts'
import { type Receiver, openReceiver } from './receiver.ts'
import { killSteps, openWorker, type Worker } from './worker.ts'

/** What a scenario plays with; whatever it opens is closed behind it. */
export interface Stage {
  readonly folder: string
  house(settings?: Readonly<Record<string, string>>, path?: string): Promise<House>
  /** `through` is where it reaches the server, unless directly. */
  worker(house: House, name?: string, slots?: number, through?: string): Promise<Worker>
  network(): Promise<Network>
  receiver(): Promise<Receiver>
}

/** A test with real processes in a folder of its own, which is kept, and named, when it fails. */
export function scenario(name: string, play: (stage: Stage) => Promise<void>, timeout = 500_000): void {
  test(name, { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-chaos-'))
    const closers: (() => Promise<void>)[] = []
    const stage: Stage = {
      folder,
      async house(settings = {}, path) {
        const house = await openHouse(folder, settings, path)
        closers.push(() => house.killAll())
        return house
      },
      async worker(house, called = 'worker', slots = 2, through = house.url) {
        const worker = await openWorker(house, folder, called, slots, through)
        closers.push(() => worker.kill())
        return worker
      },
      async network() {
        const network = await openNetwork()
        closers.push(() => network.close())
        return network
      },
      async receiver() {
        const receiver = await openReceiver()
        closers.push(() => receiver.close())
        return receiver
      },
    }
    let passed = false
    try {
      await play(stage)
      passed = true
    } catch (error) {
      throw error instanceof Error ? named(error, folder) : error
    } finally {
      for (const close of closers.toReversed()) await close()
      for (const name of await readdir(folder)) killSteps(join(folder, name))
      killSteps(folder)
      if (passed) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    }
  })
}

/** The same error, saying where to look; what is printed of an error is its stack, in which the message was put long ago. */
function named(error: Error, folder: string): Error {
  const message = `${error.message}\n(everything that was written is kept in ${folder})`
  error.stack = error.stack?.replace(error.message, () => message) ?? message
  error.message = message
  return error
}
