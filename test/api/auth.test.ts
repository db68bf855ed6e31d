import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { catalog } from '#contract/catalog.ts'
import { listProjectBuilds } from '#contract/v1/builds.ts'
import { unserved } from '#server/api/server.ts'
import { keepArtifacts } from '#server/store/artifacts.ts'
import { insertSchedule } from '#server/store/schedules.ts'
import { deleteContext, insertContext } from '#server/store/contexts.ts'
import { insertDeliveries } from '#server/store/deliveries.ts'
import { insertWebhook } from '#server/store/webhooks.ts'
import { addressOf, type Answer, messageOf } from './ask.ts'
import { callersOf, type Fate } from './auth-callers.ts'
import { contextId, deliveryId, operationsOf, questionOf, scheduleId, webhookId } from './auth-operations.ts'
import { doomed, putDoomed } from './doomed.ts'
import { type Farm, named, openFarm } from './farm.ts'
import { newProjectToken } from './people.ts'
import { edgeOptions, openService, type Service } from './service.ts'

test('every served operation lets in exactly those whom it must', async (t) => {
  await using service = await openService({ terms: { holdMs: 50 } })
  const farm = await openFarm(service)
  // What requests begin (to clear away a project, say) must not run into what is put back for the next one.
  await service.rest()
  const table = operationsOf(farm)
  const missing = unserved(service.app, edgeOptions)
  const served = catalog.filter(
    ({ prefix, endpoint }) => !missing.includes(`${endpoint.method} ${prefix}${endpoint.path}`),
  )
  assert.deepEqual(
    served.map(({ generation, operation }) => `${generation} ${operation}`).toSorted(),
    Object.keys(table).toSorted(),
  )
  const callers = await callersOf(service, farm)
  // With its job ends a job's token: what it may do is tried before.
  const inOrder = served.toSorted((a, b) => Number(a.operation === 'finishJob') - Number(b.operation === 'finishJob'))

  for (const operation of inOrder) {
    const { generation, endpoint } = operation
    const name = `${generation} ${operation.operation}`
    await t.test(name, async () => {
      const asked = table[name]
      assert.ok(asked)
      const gate = { need: asked.need, access: endpoint.access, method: endpoint.method, generation }
      const [seen, expected]: [string[], string[]] = [[], []]
      await prepare(service, farm)
      const prepared = await thingsOf(service, farm)
      for (const caller of callers) {
        const answer = await service.ask(await caller.dress(questionOf(operation, asked)))
        const fate = fateOf(answer, asked.need)
        seen.push(`${caller.name}: ${fate}`)
        // Whoever is refused changes nothing, which is tested with everything hostile.
        if (fate === 'let in' && endpoint.method !== 'GET' && (await thingsOf(service, farm)) !== prepared)
          await prepare(service, farm)
        expected.push(`${caller.name}: ${caller.fate(gate)}`)
      }
      assert.deepEqual(seen, expected)
    })
  }
})

/** Five webhooks are the most: what earlier callers made goes, and what requests name is there. */
async function prepare({ world }: Service, { project, job }: Farm): Promise<void> {
  const at = world.now()
  const artifact = { id: world.newId(), job_id: job.id, node: 0, path: 'out.txt', size: 1 }
  await world.blobs.put(`artifacts/${artifact.id}`, Buffer.from('x'))
  await world.db.transaction().execute(async (tx) => {
    await keepArtifacts(tx, [{ ...artifact, created_at: at, expires_at: '9' }])
    await tx.deleteFrom('webhooks').execute()
    const row = {
      id: webhookId,
      project_id: project.id,
      name: 'hook',
      // Nothing is ever sent there.
      url: 'https://localhost/',
      verify_tls: 1,
      secret: world.seal.close(''),
      events: '[]',
    } as const
    await insertWebhook(tx, { ...row, created_at: at, updated_at: at })
    const event = { event_id: deliveryId, event_type: 'ping', body: '{}', state: 'delivered', attempts: 1 }
    const outcome = { next_at: at, status_code: 200, error: null, finished_at: at }
    await insertDeliveries(tx, [{ id: deliveryId, webhook_id: webhookId, ...event, ...outcome, created_at: at }])
    await tx.deleteFrom('schedules').execute()
    const schedule = { id: scheduleId, project_id: project.id, name: 'nightly', description: null, actor_id: null }
    const texts = { timetable: '{"perHour":1,"hoursOfDay":[2],"daysOfWeek":["MON"]}', parameters: '{"branch":"main"}' }
    await insertSchedule(tx, { ...schedule, ...texts, created_at: at, updated_at: at, next_at: null })
    for (const { id } of await tx.selectFrom('contexts').select('id').execute()) await deleteContext(tx, id)
    await putDoomed(tx, project.organization_id, at)
    await insertContext(tx, { id: contextId, organization_id: project.organization_id, name: 'here', created_at: at })
  })
}

/** How many there are of all that is prepared. Few operations make or delete such things, and to count them is quicker than to make them anew. */
async function thingsOf({ world }: Service, { job }: Farm): Promise<string> {
  const tables = ['webhooks', 'deliveries', 'schedules', 'contexts', 'context_variables', 'context_restrictions']
  const { rows } = await sql`
    select ${sql.raw(tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', '))},
      (select count(*) from artifacts where job_id = ${job.id}) as artifacts,
      (select count(*) from projects where id = ${doomed.project} and gone_at is null) as projects,
      (select count(*) from organizations where id = ${doomed.organization}) as organizations,
      (select count(*) from members where organization_id = ${doomed.organization}) as members
  `.execute(world.db)
  return JSON.stringify(rows)
}

/** Whatever an operation says to those it lets in (done, too late, no such key) is not about the caller. */
function fateOf(answer: Answer, need: string): Fate {
  // Whoever has a password must give it: the caller is let in that far.
  if (answer.status === 403 && messageOf(answer).includes('the current one must be given')) return 'let in'
  if (answer.status === 403) return 403
  if (answer.status === 429 && need === 'anyone') return 'let in'
  if (answer.status === 401)
    return need === 'anyone' && /^(This sign-in link|Login or password)/.test(messageOf(answer)) ? 'let in' : 401
  return answer.status === 404 &&
    /^(Project|Pipeline|Workflow|Job|Build|Webhook|Context|Organization|Schedule|Artifact|Delivery) not found/.test(
      messageOf(answer),
    )
    ? 404
    : 'let in'
}

test('a token of one project opens no other, and an unknown project is told as one that may not be seen', async () => {
  await using service = await openService()
  const farm = await openFarm(service)
  const token = await newProjectToken(service.world, farm.project.id, 'all')
  const ask = async (project: string, key: string) => {
    const { status, text } = await service.ask({
      method: 'GET',
      path: `/api/v1.1/project/gh/${project}`,
      token: key,
      headers: { accept: '*/*' },
    })
    return { status, text }
  }
  assert.equal((await ask('acme/web', token)).status, 200)
  const refused = { status: 404, text: '{"message":"Project not found"}' }
  assert.deepEqual(await ask('other/thing', token), refused)
  assert.deepEqual(await ask('no/such', token), refused)
  assert.deepEqual(await ask('acme/web', farm.stranger.token), refused)
  assert.deepEqual(await ask('no/such', farm.stranger.token), refused)
})

test('a public project is read by anybody, and changed by nobody who is not in it', async () => {
  await using service = await openService()
  const { project, workflow, stranger } = await openFarm(service)
  await service.world.db.updateTable('projects').set({ public: 1 }).where('id', '=', project.id).execute()
  const read = [
    addressOf(listProjectBuilds, named),
    `/api/v2/project/gh/acme/web`,
    `/api/v2/workflow/${workflow.id}/job`,
    '/api/v2/project/gh/acme/web/pipeline',
  ]
  for (const path of read) assert.equal((await service.ask({ method: 'GET', path })).status, 200, path)
  const closed = [
    '/api/v2/project/gh/acme/web/envvar',
    '/api/v2/project/gh/acme/web/pipeline/mine',
    '/api/v1.1/project/gh/acme/web/envvar',
  ]
  for (const path of closed) assert.equal((await service.ask({ method: 'GET', path })).status, 401, path)
  const trigger = { method: 'POST', path: '/api/v2/project/gh/acme/web/pipeline' }
  assert.equal((await service.ask(trigger)).status, 401)
  assert.equal((await service.ask({ ...trigger, token: stranger.token })).status, 403)
})
