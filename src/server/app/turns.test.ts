import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentId } from '#core/ids.ts'
import { jobById } from '#server/store/jobs.ts'
import { putLimit } from '#server/store/limits.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { ada as person, claim, end, type Given, givenAgent, givenProject, givenWorkflowOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { listAgents, setMode } from './agent-list.ts'
import { newAgent, noteObstacle, registerAgent, workingAgent } from './agents.ts'
import { assignmentOf } from './job-details.ts'
import { clockWatch, reclaim } from './leases.ts'
import { reportSteps } from './report-steps.ts'
import { whyWaiting } from './waiting.ts'

const many = Array.from({ length: 30 }, (_, i) => `job${i}`)

/** Why a job waits: the word, and the sentence. */
async function why(it: SmallWorld, given: Given, name: string): Promise<readonly (string | undefined)[]> {
  const job = await jobById(it.world.db, { id: given.jobs[name] ?? '' })
  const stored = await findWorkflow(it.world.db, given.id)
  const waiting = job && (await whyWaiting(it.app, job, stored?.jobs ?? []))
  return [waiting?.for, waiting?.message]
}

async function agentWith(it: SmallWorld, name: string, offer: object = {}) {
  const { agent } = await newAgent(it.world, name)
  await registerAgent(it.world, agent, {
    instance: 'first',
    name,
    version: '1',
    slots: 2,
    resourceClasses: [],
    ...offer,
  })
  return () => workingAgent(it.world, agent as AgentId, 'first')
}

for (const database of databases) {
  describe(`turns on ${database}`, () => {
    test('a project with many jobs in line lets another one through after each of its own', async () => {
      await using it = await smallWorld(database)
      const [large, small] = [await givenProject(it, 'large'), await givenProject(it, 'small')]
      await givenWorkflowOf(it, large, ...many)
      it.wait(1000)
      const agent = await givenAgent(it)
      const [running] = await claim(it, agent, 1)
      await givenWorkflowOf(it, small, 'a', 'b', 'c')
      const order: string[] = []
      for (let i = 0; i < 6; i++) order.push(...(await claim(it, agent, 1)).map(({ job }) => job.project_id))
      assert.deepEqual(
        order.map((id) => (id === small.id ? 'small' : 'large')),
        ['small', 'large', 'small', 'large', 'small', 'large'],
      )
      await end(it, running!)
    })

    test('a project that always has one more job does not get more than its turns', async () => {
      await using it = await smallWorld(database)
      const [large, busy] = [await givenProject(it, 'large'), await givenProject(it, 'busy')]
      await givenWorkflowOf(it, large, ...many)
      const agent = await givenAgent(it)
      const counts = new Map<string, number>()
      let [held] = await claim(it, agent, 1)
      for (let i = 0; i < 12; i++) {
        it.wait(10)
        await givenWorkflowOf(it, busy, 'next')
        const [next] = await claim(it, agent, 1)
        counts.set(next!.job.project_id, (counts.get(next!.job.project_id) ?? 0) + 1)
        await end(it, held!)
        held = next
      }
      assert.deepEqual([counts.get(large.id), counts.get(busy.id)], [6, 6])
    })

    test('limits of a project and of its organization are kept, also by takers at the same moment', async () => {
      await using it = await smallWorld(database)
      const [one, two] = [await givenProject(it, 'one'), await givenProject(it, 'two')]
      const limited = await givenWorkflowOf(it, one, ...many)
      await givenWorkflowOf(it, two, ...many)
      await it.world.db.transaction().execute(async (tx) => {
        await putLimit(tx, { subject_id: one.id, subject: 'project', most_running: 2, most_minutes: null })
        const organization = { subject_id: one.organization_id, subject: 'organization' }
        await putLimit(tx, { ...organization, most_running: 5, most_minutes: null })
      })
      const agents = await Promise.all(Array.from({ length: 6 }, () => givenAgent(it)))
      const held = (await Promise.all(agents.map((agent) => claim(it, agent, 3)))).flat()
      const of = (project: string) => held.filter(({ job }) => job.project_id === project).length
      assert.deepEqual([of(one.id), of(one.id) + of(two.id)], [2, 5])
      const [word, sentence] = await why(it, limited, 'job29')
      assert.ok(word === 'project-limit' || word === 'organization-limit', word)
      assert.match(
        sentence ?? '',
        /^Waits until less runs: (project one may run 2|organization acme may run 5) jobs at once$/,
      )
      await end(
        it,
        held.find(({ job }) => job.project_id === one.id)!,
      )
      assert.equal((await claim(it, agents[0]!, 10)).length, 1)
    })

    test('a job goes only to an agent that has its executor, its class and its labels, and says what it waits for', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const given = await givenWorkflowOf(it, project, 'large@gpu', 'medium@plain', 'medium@other: plain')
      assert.equal((await why(it, given, 'gpu'))[1], 'Waits for an agent: none is connected')
      const medium = await agentWith(it, 'medium', { resourceClasses: ['medium'] })
      assert.deepEqual(await why(it, given, 'gpu'), [
        'resource-class',
        'Waits for an agent with resource class large: there are medium (medium)',
      ])
      assert.deepEqual(await why(it, given, 'other'), ['jobs', 'Waits for plain'])
      const windows = await agentWith(it, 'windows', { executors: ['windows'], resourceClasses: ['large'] })
      assert.deepEqual(await claim(it, await windows(), 5), [])
      const taken = async (agent: typeof medium) => (await claim(it, await agent(), 5)).map(({ job }) => job.name)
      assert.deepEqual(await taken(medium), ['plain'])
      await it.world.db.updateTable('queue').set({ demand: 'docker large@gpu,ssd' }).execute()
      await it.world.db.updateTable('jobs').set({ executor: 'docker', resource_class: 'large@gpu,ssd' }).execute()
      const half = await agentWith(it, 'half', { labels: ['gpu'] })
      assert.deepEqual(await why(it, given, 'gpu'), [
        'label',
        'Waits for an agent with label gpu and label ssd: there are half (gpu), medium (no label), windows (no label)',
      ])
      assert.deepEqual(await taken(half), [])
      assert.deepEqual(await taken(await agentWith(it, 'whole', { labels: ['gpu', 'ssd', 'more'] })), ['gpu'])
    })

    test('a job whose executor nobody has says which kind of agent is missing', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflowOf(it, await givenProject(it), 'a')
      await agentWith(it, 'linux')
      await it.world.db.updateTable('jobs').set({ executor: 'macos' }).execute()
      assert.deepEqual(await why(it, given, 'a'), [
        'executor',
        'Waits for an agent on macOS: there are linux (docker, machine)',
      ])
    })

    test('a job waits for people, for other jobs, and for the first word of the agent that has it, and then no more', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflowOf(it, await givenProject(it), 'ask?', 'a', 'b: ask a')
      assert.deepEqual(await why(it, given, 'ask'), ['approval', 'Waits for somebody to approve it'])
      assert.deepEqual(await why(it, given, 'b'), ['jobs', 'Waits for ask, a'])
      const [held] = await claim(it, await givenAgent(it), 1)
      assert.deepEqual(await why(it, given, 'a'), ['first-word', 'Handed to an agent'])
      const running = { index: 0, status: 'running', startedAt: it.world.now(), endedAt: null } as const
      await reportSteps(it.app, held!.lease, [{ ...running, exitCode: null, logSize: null }])
      assert.deepEqual(await why(it, given, 'a'), [undefined, undefined])
    })

    test('an agent that is draining is named to whom it keeps waiting, and works when it is back', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflowOf(it, await givenProject(it), 'a')
      const agent = await agentWith(it, 'one')
      const caller = await person(it)
      const id = (await agent()).id as AgentId
      assert.equal((await setMode(it.app, caller, id, 'draining')).state, 'draining')
      assert.deepEqual(await claim(it, await agent(), 5), [])
      assert.deepEqual(await why(it, given, 'a'), [
        'paused-agents',
        'Waits for an agent that takes jobs: one is draining',
      ])
      const again = { instance: 'first', name: 'one', version: '2', slots: 2, resourceClasses: [] }
      await registerAgent(it.world, id, again)
      assert.equal((await claim(it, await agent(), 5)).length, 1)
    })

    test('agents that are paused or full are named to whom they keep waiting', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflowOf(it, await givenProject(it), 'a', 'b', 'c', 'd')
      const agent = await agentWith(it, 'one')
      const caller = await person(it)
      const id = (await agent()).id as AgentId
      await setMode(it.app, caller, id, 'paused')
      assert.deepEqual(await claim(it, await agent(), 5), [])
      assert.deepEqual(await why(it, given, 'a'), [
        'paused-agents',
        'Waits for an agent that takes jobs: one is paused',
      ])
      assert.equal((await setMode(it.app, caller, id, 'working')).state, 'idle')
      await claim(it, await agent(), 2)
      assert.deepEqual(await why(it, given, 'd'), ['slot', 'Waits for a free slot: 2 of 2 are busy, 1 ahead of it'])
      const [shown] = (await listAgents(it.app, caller, undefined)).items
      assert.deepEqual([shown?.state, shown?.jobs.length], ['busy', 2])
      it.wait(121_000)
      assert.equal((await listAgents(it.app, caller, undefined)).items[0]?.state, 'lost')
    })

    test('an agent of an organization takes jobs of its projects only, and is no help to others', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it, 'one')
      const given = await givenWorkflowOf(it, project, 'a')
      const { agent: stranger } = await newAgent(it.world, 'stranger', it.world.newId())
      const { agent: own } = await newAgent(it.world, 'own', project.organization_id)
      const begin = (agent: AgentId, name: string) =>
        registerAgent(it.world, agent, { instance: 'first', name, version: '1', slots: 1, resourceClasses: [] })
      await begin(stranger, 'stranger')
      assert.deepEqual(await claim(it, await workingAgent(it.world, stranger, 'first'), 1), [])
      assert.deepEqual(await why(it, given, 'a'), ['agent', 'Waits for an agent: none is connected'])
      await begin(own, 'own')
      assert.equal((await claim(it, await workingAgent(it.world, own, 'first'), 1)).length, 1)
    })

    test('a job may run for as long as the nearest limit lets it', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it, 'one')
      await givenWorkflowOf(it, project, 'a')
      await it.world.db.transaction().execute(async (tx) => {
        const organization = { subject_id: project.organization_id, subject: 'organization', most_running: null }
        await putLimit(tx, { ...organization, most_minutes: 90 })
        await putLimit(tx, { subject_id: project.id, subject: 'project', most_running: null, most_minutes: 3 })
      })
      const [held] = await claim(it, await givenAgent(it), 1)
      assert.equal((await assignmentOf(it.world, it.app.bodyOf, held!)).timeLimitMs, 3 * 60_000)
    })

    test('an agent that says what is in its way is shown and named with it, until it is gone', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflowOf(it, await givenProject(it), 'a')
      const agent = await agentWith(it, 'one')
      const caller = await person(it)
      await noteObstacle(it.world, await agent(), 'its disk is full')
      assert.deepEqual(await why(it, given, 'a'), [
        'obstructed-agents',
        'Waits for an agent that can take jobs: one (its disk is full)',
      ])
      const shown = async () => (await listAgents(it.app, caller, undefined)).items[0]
      assert.deepEqual([(await shown())?.state, (await shown())?.agent.obstacle], ['obstructed', 'its disk is full'])
      await noteObstacle(it.world, await agent(), null)
      assert.deepEqual(await why(it, given, 'a'), ['slot', 'Waits for a free slot: 0 of 2 are busy, it is next'])
      assert.equal((await shown())?.state, 'idle')
    })

    test('agents are listed page by page and by name, those of an organization apart, and none twice', async () => {
      await using it = await smallWorld(database)
      const caller = await person(it)
      const { organization_id: organization } = await givenProject(it)
      for (let i = 0; i < 120; i++) await newAgent(it.world, `agent ${i % 40}`, i < 60 ? null : organization)
      async function all(of?: string): Promise<readonly string[]> {
        const names: string[] = []
        let token: string | undefined | null
        do {
          const page = await listAgents(it.app, caller, of, token ?? undefined)
          assert.ok(page.items.length <= 50)
          names.push(...page.items.map((item) => `${item.agent.name} ${item.agent.id}`))
          token = page.next
        } while (token !== null)
        return names
      }
      const everybody = await all()
      assert.equal(new Set(everybody).size, 120)
      assert.equal(everybody.length, 120)
      assert.equal((await all(organization)).length, 60)
      const { next } = await listAgents(it.app, caller, undefined)
      await assert.rejects(listAgents(it.app, caller, organization, next ?? ''), { code: 'not-found' })
    })

    test('a clock that is set by hours, forward or back, loses no job and keeps none for ever', async () => {
      for (const jump of [5 * 3_600_000, -5 * 3_600_000]) {
        await using it = await smallWorld(database)
        await givenWorkflowOf(it, await givenProject(it), 'a')
        await claim(it, await givenAgent(it), 1)
        let steady = 0
        const wasSet = clockWatch(it.world, () => steady)
        const pass = (ms: number) => {
          steady += ms
          it.wait(ms)
        }
        pass(5_000)
        assert.equal(await wasSet(), false)
        it.wait(jump)
        assert.equal(await wasSet(), true)
        assert.equal(await reclaim(it.world), 0, `after ${jump} ms`)
        pass(it.world.terms.leaseMs + 1)
        assert.equal(await wasSet(), false)
        assert.equal(await reclaim(it.world), 1, `after ${jump} ms and a lease`)
      }
    })
  })
}
