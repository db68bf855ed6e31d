import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runAgent } from '#agent/agent.ts'
import { createAgentToken, deleteAgentToken, listAgents, setAgentMode } from '#contract/rh/agents.ts'
import { getJobPage } from '#contract/rh/job.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

/* What whoever keeps agents can do with them, and what jobs say meanwhile. */

const config = (folder: string, name: string) => `version: 2.1
jobs:
  ${name}:
    machine: true
    steps: [run: "touch ${folder}/${name}-begun; until [ -e ${folder}/${name}-go ]; do sleep 0.05; done"]
workflows: { main: { jobs: [${name}] } }
`

async function stage() {
  const stack = new AsyncDisposableStack()
  const service = stack.use(await openService())
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-agents-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const eyes = watch(service, 'web', service.admin.token)
  const made = await service.call(createAgentToken, { body: { name: 'one' } })
  const agentOf = async () => {
    const { items } = await service.call(listAgents, { query: {} })
    const found = items.find(({ id }) => id === made.agent_id)
    assert.ok(found)
    return found
  }
  return {
    service,
    eyes,
    made,
    agentOf,
    go: (name: string) => writeFileSync(join(folder, `${name}-go`), ''),
    begun: (name: string) =>
      service.until(async () => (existsSync(join(folder, `${name}-begun`)) ? true : undefined), 120_000),
    mode: (mode: 'working' | 'paused' | 'draining') =>
      service.call(setAgentMode, { params: { id: made.agent_id }, body: { mode } }),
    /** Pushes a job that runs until it is let go, and gives where it is found. */
    async push(name: string): Promise<string> {
      await service.push('acme/web', { '.service/config.yml': config(folder, name) }, [name], undefined, name)
      return (await eyes.workflowOf(name)).id
    },
    /** What a job says that it waits for, once it does. */
    waiting: (workflow: string) =>
      service.until(async () => {
        const [job] = await eyes.jobsOf(workflow)
        if (!job) return undefined
        return (await service.call(getJobPage, { params: { id: job.id }, query: {} })).waiting ?? undefined
      }, 120_000),
    /** Starts a process of the agent; `ended` says how it ended. */
    start(name?: string) {
      const stop = new AbortController()
      const lines: string[] = []
      const options = {
        server: service.base,
        token: made.token,
        folder: join(folder, 'agent'),
        slots: 2,
        ...(name !== undefined && { name }),
      }
      const ended = runAgent(
        { ...options, resourceClasses: [], version: '7.1', log: (line) => void lines.push(line), graceMs: 1000 },
        stop.signal,
      )
      stack.defer(async () => {
        stop.abort()
        await ended
      })
      return { ended, lines }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('an agent is called as its token was, unless it has a name of its own', async () => {
  await using it = await stage()
  const called = async (name: string, lines: readonly string[]) => {
    await it.service.until(async () => lines.includes(`Registered as ${name} with 2 slots`) || undefined)
    assert.equal((await it.agentOf()).name, name)
  }
  await called('one', it.start().lines)
  await called('own', it.start('own').lines)
})

test('an agent that is paused goes on with its jobs and takes no others until it is let', async () => {
  await using it = await stage()
  assert.equal((await it.agentOf()).state, 'new')
  it.start()
  const first = await it.push('first')
  await it.begun('first')
  const { state, version, slots, busy, jobs, last_seen_at } = await it.agentOf()
  assert.deepEqual([state, version, slots, busy, jobs.length], ['busy', '7.1', 2, 1, 1])
  assert.ok(last_seen_at)
  assert.equal((await it.mode('paused')).state, 'paused')
  const second = await it.push('second')
  assert.equal(await it.waiting(second), 'Waits for an agent that takes jobs: one is paused')
  it.go('first')
  await it.eyes.jobIs(first, 'first', 'success')
  assert.equal(await it.waiting(second), 'Waits for an agent that takes jobs: one is paused')
  await it.mode('working')
  await it.begun('second')
  it.go('second')
  await it.eyes.jobIs(second, 'second', 'success')
})

test('an agent that is drained ends when its jobs have, and works when it is started again', async () => {
  await using it = await stage()
  const { ended, lines } = it.start()
  const first = await it.push('first')
  await it.begun('first')
  assert.equal((await it.mode('draining')).state, 'draining')
  const second = await it.push('second')
  assert.equal(await it.waiting(second), 'Waits for an agent that takes jobs: one is draining')
  await it.service.until(async () => (lines.includes('The server asks this agent to end') ? true : undefined))
  assert.deepEqual(await it.eyes.statuses(first), { first: 'running' })
  it.go('first')
  assert.equal(await ended, 'drained')
  assert.deepEqual(await it.eyes.statuses(first), { first: 'success' })
  it.start()
  await it.begun('second')
  it.go('second')
  await it.eyes.jobIs(second, 'second', 'success')
})

test('an agent whose token is revoked stops its jobs and ends', async () => {
  await using it = await stage()
  const { ended, lines } = it.start()
  await it.push('first')
  await it.begun('first')
  await it.service.call(deleteAgentToken, { params: { id: it.made.id } })
  assert.equal(await ended, 'failed')
  assert.match(lines.join('\n'), /The agent ends: Cannot POST .* as the server answered 401/)
  const { items } = await it.service.call(listAgents, { query: {} })
  assert.deepEqual(items, [])
})
