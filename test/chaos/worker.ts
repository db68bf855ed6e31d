import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLeaders } from '#agent/executors/command-files.ts'
import { signalGroup } from '#agent/executors/processes.ts'
import { readBegun, readJob, readStop } from '#agent/job-folder.ts'
import { createAgentToken } from '#contract/rh/agents.ts'
import type { House } from './house.ts'
import { type Ended, run, type Running } from './process.ts'

/** An agent with a folder and a token that outlive its process. */
export interface Worker {
  start(): void
  /** Kills the agent; its steps go on. */
  kill(): Promise<void>
  send(signal: NodeJS.Signals): void
  ended(): Promise<Ended>
  output(): string
  /** How many jobs lie in its folder. */
  jobs(): number
  /** Whether it has stopped all that it had, or begun to, and not because a step ended. */
  hasStopped(): boolean
  /** Whether a step was begun, as the folder of its job says for as long as there is one. */
  hasBegun(job: string, step: string): boolean
}

/** Gets a token for another agent, which is not started yet. */
export async function openWorker(
  house: House,
  folder: string,
  name: string,
  slots: number,
  through: string,
): Promise<Worker> {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  const { token } = await house.rh(createAgentToken, { body: { name } })
  const tokenFile = join(home, 'token')
  writeFileSync(tokenFile, token, { mode: 0o600 })
  const args = [
    'agent',
    '--server',
    through,
    '--token-file',
    tokenFile,
    '--folder',
    join(home, 'agent'),
    '--name',
    name,
    '--slots',
    String(slots),
  ]
  const jobs = join(home, 'agent/jobs')
  let running: Running | undefined
  const must = (): Running => {
    if (!running) throw new Error(`Cannot do this with agent ${name}: it was not started`)
    return running
  }
  return {
    start() {
      running = run(args, { cwd: home, environment: {}, output: join(home, 'agent.log') })
    },
    kill: async () => running?.kill(),
    send: (signal) => must().send(signal),
    ended: () => must().ended,
    output: () => running?.output() ?? '',
    jobs: () => readdirSync(jobs).filter((name) => existsSync(join(jobs, name, 'job.json'))).length,
    hasStopped: () =>
      readdirSync(jobs).every((name) => !existsSync(join(jobs, name, 'job.json')) || readStop(join(jobs, name))),
    hasBegun: (job, step) =>
      existsSync(jobs) &&
      readdirSync(jobs).some((name) => {
        const { spec } = readJob(join(jobs, name)) ?? {}
        const index = spec?.name === job ? spec.steps.findIndex((one) => one.name === step) : -1
        return index >= 0 && readBegun(join(jobs, name), index) !== undefined
      }),
  }
}

/** Kills the steps that agents left running in their folders, somewhere below this one. */
export function killSteps(folder: string): void {
  for (const jobs of [join(folder, 'agent/jobs'), join(folder, 'data/agent/jobs')]) {
    if (!existsSync(jobs)) continue
    for (const name of readdirSync(jobs))
      for (const leader of readLeaders(join(jobs, name))) signalGroup(leader, 'SIGKILL')
  }
}
