import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobSpec } from '#contract/agent.ts'
import { type AgentOptions, runAgent } from '#agent/agent.ts'
import { fakeServer } from './fake-server.ts'

/** A folder that is gone when the test is over. */
export function tempFolder(where = tmpdir()) {
  const path = mkdtempSync(join(where, 'roundhouse-agent-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** A server and an agent that works for it in this process. */
export async function smallWorld(settings: Parameters<typeof fakeServer>[0] = {}, more: Partial<AgentOptions> = {}) {
  const server = await fakeServer(settings)
  const folder = tempFolder()
  const lines: string[] = []
  const drain = new AbortController()
  const options: AgentOptions = {
    server: server.url,
    token: 'the-agents-own-token',
    folder: folder.path,
    name: 'test',
    slots: 2,
    resourceClasses: [],
    version: '0',
    log: (line) => lines.push(line),
    graceMs: 1000,
    ...more,
  }
  const ended = runAgent(options, drain.signal)

  return {
    server,
    folder: folder.path,
    lines,
    ended,
    /** Runs a job to its end and gives what the server then knows of it. */
    async play(spec: JobSpec, ms?: number) {
      server.enqueue(spec)
      const { outcome, reason, steps } = await server.finished(spec.id, ms)
      return {
        outcome,
        reason,
        statuses: steps.map((step) => step.status),
        codes: steps.map((step) => step.exit_code),
        logs: spec.steps.map((_, index) => server.logOf(spec.id, index).toString()),
      }
    },
    /** Ends the agent as a signal would, and gives what is left in its folder of jobs. */
    async drained() {
      drain.abort()
      await ended
      return readdirSync(join(folder.path, 'jobs'))
    },
    async [Symbol.asyncDispose]() {
      drain.abort()
      for (const id of server.jobs.keys()) server.change(id, { lost: true })
      await ended
      await server[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
