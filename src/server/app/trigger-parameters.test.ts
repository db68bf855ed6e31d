import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProjectId } from '#core/ids.ts'
import { ada, claim, end, givenAgent, givenWorkflow } from '#test/given.ts'
import { noon, smallWorld } from '#test/world.ts'
import { dispatchEvents } from './dispatch.ts'
import { createWebhook } from './webhooks.ts'

interface Told {
  readonly pipeline: Readonly<Record<string, unknown>> & { readonly trigger: { readonly type: string } }
}

async function toldOf(hostedAs: 'provider-b' | 'provider-c', dialect: 'service' | 'circle') {
  await using it = await smallWorld('sqlite', { hostedAs, dialect })
  const given = await givenWorkflow(it, 'build')
  const form = { name: 'h', url: 'https://example.com/', verifyTls: true, signingSecret: '', events: ['job-completed'] }
  await createWebhook(it.world, await ada(it), given.project.id as ProjectId, form)
  const [held] = await claim(it, await givenAgent(it))
  assert.ok(held)
  await end(it, held)
  await dispatchEvents(it.world, it.app.findRevision)
  const { body } = await it.world.db.selectFrom('deliveries').select('body').executeTakeFirstOrThrow()
  return { pipeline: (JSON.parse(body) as Told).pipeline, project: given.project.id }
}

test('a pipeline of provider-c has trigger_parameters in the place of vcs, under the names of the dialect', async () => {
  const { pipeline, project } = await toldOf('provider-c', 'service')
  const revision = '1'.repeat(40)
  assert.equal('vcs' in pipeline, false)
  assert.deepEqual(pipeline['trigger_parameters'], {
    service: { event_time: noon, event_type: 'push', trigger_type: 'provider-c' },
    git: {
      tag: '',
      checkout_sha: revision,
      ref: 'refs/heads/main',
      branch: 'main',
      checkout_url: 'http://ci.example.com/git/acme/web.git',
    },
    'provider-c': {
      web_url: 'http://ci.example.com/git/acme/web',
      repo_url: 'http://ci.example.com/git/acme/web.git',
      repo_name: 'web',
      project_id: project,
      type: 'push',
      ref: 'refs/heads/main',
      branch: 'main',
      checkout_sha: revision,
      commit_sha: revision,
    },
  })
  const other = await toldOf('provider-c', 'circle')
  assert.deepEqual(Object.keys(other.pipeline['trigger_parameters'] as object), ['circleci', 'git', 'gitlab'])
  assert.equal(other.pipeline.trigger.type, 'gitlab')
})

test('a pipeline of provider-b has vcs, and no trigger_parameters', async () => {
  const { pipeline } = await toldOf('provider-b', 'service')
  assert.equal('trigger_parameters' in pipeline, false)
  assert.equal((pipeline['vcs'] as { provider_name: string }).provider_name, 'provider-b')
  assert.equal(pipeline.trigger.type, 'webhook')
})
