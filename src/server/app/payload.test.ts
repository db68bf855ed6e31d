import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectId } from '#core/ids.ts'
import type { Provider } from '#core/names.ts'
import { insertRevision } from '#server/store/refs.ts'
import { ada, claim, end, type Given, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { dispatchEvents } from './dispatch.ts'
import type { PipelineOptions } from './trigger.ts'
import { createWebhook } from './webhooks.ts'
import { cancelWorkflow } from './workflows.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const text = /^[\s\S]+$/
const anyText = /^[\s\S]*$/
const url = /^https?:\/\/[^\s]+$/
const sha = /^[0-9a-f]{40}$/

/** §6 as a table: where a field is, whether it is always there, and how it looks; `number` for a number. */
const fields: readonly (readonly [path: string, 'always' | 'sometimes', RegExp | 'number'])[] = [
  ['id', 'always', text],
  ['type', 'always', /^(workflow|job)-completed$/],
  ['happened_at', 'always', instant],
  ['webhook.id', 'always', uuid],
  ['webhook.name', 'always', text],
  ['project.id', 'always', uuid],
  ['project.slug', 'always', /^provider-[abc]\/acme\/web$/],
  ['project.name', 'always', text],
  ['organization.id', 'always', uuid],
  ['organization.name', 'always', text],
  ['workflow.id', 'always', uuid],
  ['workflow.name', 'always', text],
  ['workflow.created_at', 'always', instant],
  ['workflow.url', 'always', url],
  ['workflow.status', 'sometimes', /^(success|failed|error|canceled|unauthorized)$/],
  ['workflow.stopped_at', 'sometimes', instant],
  ['pipeline.id', 'always', uuid],
  ['pipeline.number', 'always', 'number'],
  ['pipeline.created_at', 'always', instant],
  ['pipeline.trigger.type', 'always', /^(webhook|api|schedule|explicit|provider-c)$/],
  ['job.id', 'sometimes', uuid],
  ['job.number', 'sometimes', 'number'],
  ['job.name', 'sometimes', text],
  ['job.status', 'sometimes', /^(success|failed|canceled|unauthorized)$/],
  ['job.started_at', 'sometimes', instant],
  ['job.stopped_at', 'sometimes', instant],
  ['pipeline.vcs.provider_name', 'sometimes', /^provider-[ab]$/],
  ['pipeline.vcs.target_repository_url', 'sometimes', url],
  ['pipeline.vcs.origin_repository_url', 'sometimes', url],
  ['pipeline.vcs.revision', 'sometimes', sha],
  ['pipeline.vcs.branch', 'sometimes', text],
  ['pipeline.vcs.tag', 'sometimes', text],
  ['pipeline.vcs.commit.subject', 'sometimes', text],
  ['pipeline.vcs.commit.body', 'sometimes', anyText],
  ['pipeline.vcs.commit.author.name', 'sometimes', text],
  ['pipeline.vcs.commit.author.email', 'sometimes', text],
  ['pipeline.vcs.commit.authored_at', 'sometimes', instant],
  ['pipeline.vcs.commit.committer.name', 'sometimes', text],
  ['pipeline.vcs.commit.committer.email', 'sometimes', text],
  ['pipeline.vcs.commit.committed_at', 'sometimes', instant],
  ['pipeline.trigger_parameters.service.event_time', 'sometimes', instant],
  ['pipeline.trigger_parameters.service.event_type', 'sometimes', text],
  ['pipeline.trigger_parameters.service.trigger_type', 'sometimes', text],
  ['pipeline.trigger_parameters.service.actor_id', 'sometimes', uuid],
  // One of the two has no text, as the original sends them.
  ['pipeline.trigger_parameters.git.tag', 'sometimes', anyText],
  ['pipeline.trigger_parameters.git.branch', 'sometimes', anyText],
  ['pipeline.trigger_parameters.git.checkout_sha', 'sometimes', sha],
  ['pipeline.trigger_parameters.git.ref', 'sometimes', /^refs\/(heads|tags)\/./],
  ['pipeline.trigger_parameters.git.checkout_url', 'sometimes', url],
  ...[
    ['web_url', url],
    ['commit_author_name', text],
    ['user_id', uuid],
    ['user_name', text],
    ['user_username', text],
    ['branch', anyText],
    ['commit_title', text],
    ['commit_message', text],
    ['total_commits_count', /^\d+$/],
    ['repo_url', url],
    ['user_avatar', url],
    ['type', text],
    ['project_id', uuid],
    ['ref', text],
    ['repo_name', text],
    ['commit_author_email', text],
    ['checkout_sha', sha],
    ['commit_timestamp', instant],
    ['commit_sha', sha],
  ].map(
    ([key, shape]) => [`pipeline.trigger_parameters.provider-c.${String(key)}`, 'sometimes', shape as RegExp] as const,
  ),
]

const below = (prefix: string) => fields.map(([path]) => path).filter((path) => path.startsWith(prefix))
const job = below('job.')
const place = ['provider_name', 'target_repository_url', 'origin_repository_url', 'revision'].map(
  (key) => `pipeline.vcs.${key}`,
)
const commit = below('pipeline.vcs.commit.')
const trigger = below('pipeline.trigger_parameters.service.').filter((path) => !path.endsWith('actor_id'))
const git = below('pipeline.trigger_parameters.git.')
const own = below('pipeline.trigger_parameters.provider-c.')
const told = own.filter((path) => /commit_(author|title|message|timestamp)/.test(path))
const person = own.filter((path) => /user_/.test(path))
const count = 'pipeline.trigger_parameters.provider-c.total_commits_count'
const bare = own.filter((path) => ![...told, ...person, count].includes(path))

interface Case {
  readonly name: string
  readonly provider: Provider
  readonly pipeline?: {
    readonly trigger_type?: string
    readonly branch?: string | null
    readonly tag?: string
    readonly byAda?: true
    readonly options?: PipelineOptions
  }
  /** Whether what the commit says of itself is known. */
  readonly commit?: true
  /** What is there beside what always is: in the event of a job, and in that of a workflow. */
  readonly has: readonly string[]
}

const pull = { number: 5, url: '', owner: 'mallory', repository: 'web', branch: 'mend', baseBranch: 'main' }

const cases: readonly Case[] = [
  { name: 'a push', provider: 'provider-a', commit: true, has: [...place, ...commit, 'pipeline.vcs.branch'] },
  { name: 'a commit of which nothing is known', provider: 'provider-a', has: [...place, 'pipeline.vcs.branch'] },
  {
    name: 'a tag',
    provider: 'provider-b',
    pipeline: { branch: null, tag: 'v1' },
    commit: true,
    has: [...place, ...commit, 'pipeline.vcs.tag'],
  },
  {
    name: 'a trigger by API',
    provider: 'provider-b',
    pipeline: { trigger_type: 'api', byAda: true },
    has: [...place, 'pipeline.vcs.branch'],
  },
  {
    name: 'a schedule',
    provider: 'provider-a',
    pipeline: { trigger_type: 'scheduled_pipeline' },
    has: [...place, 'pipeline.vcs.branch'],
  },
  {
    name: 'the pull request of a fork',
    provider: 'provider-a',
    pipeline: { branch: 'pull/5', options: { pull } },
    has: [...place, 'pipeline.vcs.branch'],
  },
  {
    name: 'a push',
    provider: 'provider-c',
    commit: true,
    has: [...trigger, ...git, ...bare, ...told, count],
  },
  {
    name: 'a tag that somebody pushed whom we know',
    provider: 'provider-c',
    pipeline: { branch: null, tag: 'v1', byAda: true },
    has: [
      ...trigger,
      'pipeline.trigger_parameters.service.actor_id',
      ...git,
      ...bare,
      ...person.filter((path) => !path.endsWith('user_avatar')),
    ],
  },
]

/** Every field that an event has, by its path. */
function leaves(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, one]) => leaves(one, path === '' ? key : `${path}.${key}`))
}

/** What is wrong with an event, in the words of the table. */
function faults(event: unknown): readonly string[] {
  const found = new Map(leaves(event))
  const shapes = new Map(fields.map(([path, , shape]) => [path, shape]))
  const missing = fields
    .filter(([path, always]) => always === 'always' && !found.has(path))
    .map(([path]) => `no ${path}`)
  const wrong = [...found].flatMap(([path, value]) => {
    const shape = shapes.get(path)
    if (shape === undefined) return [`${path} is in no table`]
    const isRight = shape === 'number' ? Number.isInteger(value) : typeof value === 'string' && shape.test(value)
    return isRight ? [] : [`${path} is ${JSON.stringify(value)}`]
  })
  return [...missing, ...wrong]
}

const sometimes = (event: unknown) =>
  leaves(event)
    .map(([path]) => path)
    .filter((path) => fields.some(([one, always]) => one === path && always === 'sometimes'))
    .toSorted()

async function watched(it: SmallWorld, given: Given) {
  const events = ['job-completed', 'workflow-completed']
  const form = { name: 'hook', url: 'https://example.com/', verifyTls: true, signingSecret: '', events }
  await createWebhook(it.world, await ada(it), given.project.id as ProjectId, form)
  return async () => {
    await dispatchEvents(it.world, it.app.findRevision)
    const rows = await it.world.db.selectFrom('deliveries').select(['body', 'event_type']).orderBy('id').execute()
    return rows.map((row) => ({ type: row.event_type, event: JSON.parse(row.body) as Record<string, unknown> }))
  }
}

const revision = '1'.repeat(40)

async function knowCommit({ world }: SmallWorld, project: string) {
  const who = { name: 'Grace', email: 'grace@example.com', date: '2026-01-02T12:00:00+00:00' }
  const details = { revision, parents: [], author: who, committer: who, subject: 'Begin', body: '' }
  const row = { project_id: project, revision, details: JSON.stringify(details), config_path: null, config_hash: null }
  await world.db.transaction().execute((tx) => insertRevision(tx, { ...row, created_at: world.now() }))
}

for (const database of databases) {
  describe(`events on ${database}`, () => {
    for (const { name, provider, pipeline = {}, commit: isKnown, has } of cases)
      test(`of ${name} at ${provider} have each field of the interface, and none that has nothing to say`, async () => {
        await using it = await smallWorld(database, { hostedAs: provider })
        const given = await givenWorkflow(it, 'build')
        const events = await watched(it, given)
        const { byAda, options, ...changes } = pipeline
        const actor_id = byAda ? (await ada(it)).id : null
        const change = { ...changes, actor_id, ...(options && { options: JSON.stringify(options) }) }
        await it.world.db.updateTable('pipelines').set(change).execute()
        if (isKnown) await knowCommit(it, given.project.id)
        const [held] = await claim(it, await givenAgent(it))
        assert.ok(held)
        await end(it, held)
        const sent = await events()
        assert.deepEqual(sent.map(({ type }) => type).toSorted(), ['job-completed', 'workflow-completed'])
        for (const { type, event } of sent) {
          assert.deepEqual(faults(event), [], type)
          const about = type === 'job-completed' ? job : ['workflow.status', 'workflow.stopped_at']
          assert.deepEqual(sometimes(event), [...about, ...has].toSorted(), type)
        }
        const { vcs } = sent[0]!.event['pipeline'] as { vcs?: Record<string, string> }
        const isElsewhere = vcs !== undefined && vcs['origin_repository_url'] !== vcs['target_repository_url']
        assert.equal(isElsewhere, options?.pull !== undefined)
      })

    test('are sent for each way of ending that the interface knows, of jobs only where they have become builds', async () => {
      await using it = await smallWorld(database, { lostJobRetries: 0 })
      const given = await givenWorkflow(it, 'good', 'bad', 'slow', 'lost', 'never!', 'waits: good bad', 'gone')
      const events = await watched(it, given)
      const held = await claim(it, await givenAgent(it), 10)
      const endings = { good: 'success', bad: 'failed', slow: 'timedout', lost: 'infrastructure_fail' } as const
      for (const [name, ending] of Object.entries(endings)) {
        const one = held.find(({ lease }) => lease.job_id === given.jobs[name])
        assert.ok(one)
        await end(it, one, ending)
      }
      await cancelWorkflow(it.world, (await ada(it)).id, given.id)
      const sent = await events()
      for (const { type, event } of sent) assert.deepEqual(faults(event), [], type)
      const lines = sent.map(({ event }) => {
        const { job: of, workflow } = event as Record<string, { name: string; status: string } | undefined>
        return of ? `${of.name} ${of.status}` : `workflow ${workflow?.status}`
      })
      const expected = [
        'good success',
        'bad failed',
        'slow failed',
        'lost failed',
        'never unauthorized',
        'gone canceled',
      ]
      assert.deepEqual(lines.toSorted(), [...expected, 'workflow canceled'].toSorted())
    })
  })
}
