import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireTrigger } from '#contract/rh/inbound.ts'
import * as definitions from '#contract/v2/definition.ts'
import { getPipelineConfig, listProjectPipelines } from '#contract/v2/pipeline.ts'
import { getPipelineValues, runPipeline } from '#contract/v2/run.ts'
import * as triggers from '#contract/v2/trigger.ts'
import { instant } from '#kit/brand.ts'
import { fireSchedules } from '#server/app/fire-schedules.ts'
import { databases } from '#test/world.ts'
import { addressOf, messageOf } from './ask.ts'
import { newPerson } from './people.ts'
import { openService, type Service } from './service.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' } as const
const configOf = (word: string) => `version: 2
jobs:
  build:
    machine: true
    steps:
      - run: echo ${word}
workflows:
  version: 2
  ${word}:
    jobs: [build]
`
const files = { '.service/config.yml': configOf('usual'), 'ci/release.yml': configOf('release') }
const json = { 'content-type': 'application/json' }

async function openProject(service: Service) {
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', files, ['main'], ada.token)
  const pipelines = async () =>
    (await service.call(listProjectPipelines, { params: slug, query: {} }, ada.token)).items.toReversed()
  const project = (await service.world.db.selectFrom('projects').select('id').executeTakeFirstOrThrow()).id
  const source = { provider: 'github_app', repo: { external_id: '952038793' } }
  const define = (name: string, file_path: string) =>
    service.call(
      definitions.createDefinition,
      {
        params: { project_id: project },
        body: { name, description: 'words', config_source: { ...source, file_path }, checkout_source: source },
      },
      ada.token,
    )
  /** What a pipeline was made of, once it is compiled. */
  const sourceOf = (id: string) =>
    service.until(async () => {
      const { source: text } = await service.call(getPipelineConfig, { params: { pipeline_id: id } }, ada.token)
      return text === '' ? undefined : /echo (\w+)/.exec(text)?.[1]
    })
  const ask = (method: string, path: string, body?: unknown) =>
    service.ask({
      method,
      path,
      token: ada.token,
      ...(body !== undefined && { headers: json, body: JSON.stringify(body) }),
    })
  return { ada, project, pipelines, define, sourceOf, ask }
}

for (const database of databases) {
  describe(`pipeline definitions on ${database}`, () => {
    test('a definition is made, read, changed and deleted, and the usual one stays', async () => {
      await using service = await openService({ database })
      const { ada, project, define, ask } = await openProject(service)
      const made = await define('release', 'ci/release.yml')
      const repo = { full_name: 'acme/web', external_id: '952038793' }
      assert.deepEqual(made, {
        id: made.id,
        name: 'release',
        description: 'words',
        created_at: made.created_at,
        config_source: { provider: 'github_app', repo, file_path: 'ci/release.yml' },
        checkout_source: { provider: 'github_app', repo },
      })
      const params = { project_id: project, definition_id: made.id }
      assert.deepEqual(await service.call(definitions.getDefinition, { params }, ada.token), made)
      const body = { name: 'deploy', config_source: { file_path: 'ci/deploy.yml' } }
      const changed = await service.call(definitions.updateDefinition, { params, body }, ada.token)
      assert.deepEqual(
        [changed.name, changed.config_source.file_path, changed.description],
        ['deploy', 'ci/deploy.yml', 'words'],
      )
      const list = await service.call(definitions.listDefinitions, { params: { project_id: project } }, ada.token)
      assert.deepEqual(
        list.items.map(({ id }) => id),
        [project, made.id],
      )
      const place = addressOf(definitions.getDefinition, params)
      const usual = addressOf(definitions.getDefinition, { project_id: project, definition_id: project })
      assert.equal((await ask('DELETE', usual)).status, 400)
      assert.equal((await ask('PATCH', usual, { name: 'x' })).status, 400)
      for (const file_path of ['../x', '/etc/passwd', '', '-x', 'a//b'])
        assert.equal((await ask('PATCH', place, { config_source: { file_path } })).status, 400, file_path)
      const other = { config_source: { repo: { external_id: service.world.newId() } } }
      assert.match(messageOf(await ask('PATCH', place, other)), /must be the project's own/)
      await service.call(definitions.deleteDefinition, { params }, ada.token)
      assert.equal((await ask('GET', place)).status, 404)
    })

    test('pushes run the definitions whose triggers mean them, beside the usual one', async () => {
      await using service = await openService({ database })
      const { ada, project, pipelines, define, sourceOf, ask } = await openProject(service)
      const release = await define('release', 'ci/release.yml')
      const params = { project_id: project, definition_id: release.id }
      const event_source = { provider: 'github_app', repo: { external_id: '952038793' } }
      const make = (event_preset: string) =>
        service.call(triggers.createTrigger, { params, body: { event_source, event_preset } }, ada.token)
      const tags = await make('only-tags')
      assert.deepEqual([tags.event_preset, tags.disabled, tags.checkout_ref], ['only-tags', false, ''])
      const main = await make('default-branch-pushes')
      await service.push('acme/web', files, ['other', 'tags/v1'], ada.token, 'Second')
      const second = (await pipelines()).slice(1)
      assert.deepEqual(
        await Promise.all(second.map(async ({ id, vcs }) => [vcs?.branch ?? vcs?.tag, await sourceOf(id)])),
        [
          ['other', 'usual'],
          ['v1', 'usual'],
          ['v1', 'release'],
        ],
      )
      const disable = { params: { project_id: project, trigger_id: main.id }, body: { disabled: true } }
      assert.equal((await service.call(triggers.updateTrigger, disable, ada.token)).disabled, true)
      await service.push('acme/web', { 'ci/release.yml': configOf('alone') }, ['bare', 'tags/v2'], ada.token, 'Third')
      const third = (await pipelines()).slice(4)
      assert.deepEqual(
        await Promise.all(third.map(async ({ id, vcs }) => [vcs?.branch ?? vcs?.tag, await sourceOf(id)])),
        [['v2', 'alone']],
        'a project with definitions needs no usual configuration',
      )
      const list = await service.call(triggers.listTriggers, { params }, ada.token)
      assert.deepEqual(
        list.items.map(({ id }) => id),
        [tags.id, main.id],
      )
      const place = addressOf(triggers.createTrigger, params)
      const bad = [
        { event_source: {} },
        { event_source, event_preset: 'pr-comment-equals-run-ci' },
        { event_source, parameters: { a: 1 } },
        { event_source, checkout_ref: '-x' },
        { event_source: { provider: 'webhook' }, parameters: { a: 1 } },
        { event_source: { provider: 'schedule' } },
        { event_source: { provider: 'schedule', schedule: { cron_expression: '99 * * * *' } } },
      ]
      for (const body of bad) assert.equal((await ask('POST', place, body)).status, 400, JSON.stringify(body))
      const usual = addressOf(triggers.createTrigger, { ...params, definition_id: project })
      assert.equal((await ask('POST', usual, { event_source })).status, 400)
      const repo = { event_source: { repo: { external_id: '1' } } }
      const one = addressOf(triggers.getTrigger, { project_id: project, trigger_id: tags.id })
      assert.equal((await ask('PATCH', one, repo)).status, 400)
      assert.equal((await ask('PATCH', one, { event_source: { provider: 'webhook' } })).status, 400)
      // Clients that send everything they know say what is.
      assert.equal((await ask('PATCH', one, { event_source: tags.event_source })).status, 200)
      await service.call(definitions.deleteDefinition, { params }, ada.token)
      assert.equal((await ask('GET', one)).status, 404)
    })

    test('a schedule runs a definition at its times, once, and not while it is disabled', async () => {
      await using service = await openService({ database })
      const { ada, project, pipelines, define } = await openProject(service)
      await service.rest()
      const release = await define('release', 'ci/release.yml')
      const event_source = {
        provider: 'schedule',
        schedule: { cron_expression: '0 * * * *', attribution_actor: 'system' as const },
      }
      const body = { event_source, event_name: 'hourly', checkout_ref: 'main', parameters: { branch: 'main' } }
      const params = { project_id: project, definition_id: release.id }
      const made = await service.call(triggers.createTrigger, { params, body }, ada.token)
      assert.equal(made.event_source.schedule?.attribution_actor.id, 'd9b3fcaa-6032-405a-8c75-40079ce33c3e')
      assert.deepEqual(made.parameters, { branch: 'main' })
      // Not by the clock of this machine, on which an hour may end in the middle of the test.
      const { next_at } = await service.world.db
        .selectFrom('triggers')
        .select('next_at')
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      const after = (hours: number) => instant(new Date(Date.parse(next_at ?? '') + hours * 3_600_000))
      const due = { ...service.world, now: () => after(0) }
      await Promise.all([fireSchedules(due), fireSchedules(due)])
      const [, fired, more] = await pipelines()
      assert.deepEqual([fired?.trigger.type, more], ['scheduled_pipeline', undefined])
      const { definition_id } = await service.world.db
        .selectFrom('pipelines')
        .select('definition_id')
        .where('id', '=', fired?.id ?? '')
        .executeTakeFirstOrThrow()
      assert.equal(definition_id, release.id)
      const clear = { params: { project_id: project, trigger_id: made.id }, body: { disabled: true, parameters: {} } }
      const cleared = await service.call(triggers.updateTrigger, clear, ada.token)
      assert.equal(cleared.parameters, undefined)
      const again = { ...clear, body: { parameters: { word: 'x' } } }
      assert.deepEqual((await service.call(triggers.updateTrigger, again, ada.token)).parameters, { word: 'x' })
      const none = { ...clear, body: { parameters: null } }
      assert.equal((await service.call(triggers.updateTrigger, none, ada.token)).parameters, undefined)
      const later = { ...service.world, now: () => after(2) }
      await fireSchedules(later)
      assert.equal((await pipelines()).length, 2)
    })
  })
}

describe('other ways to run a definition', () => {
  test('whoever knows the secret of a webhook runs it, and what they send is a value', async () => {
    await using service = await openService()
    const { ada, project, pipelines, define, sourceOf } = await openProject(service)
    const release = await define('release', 'ci/release.yml')
    const params = { project_id: project, definition_id: release.id }
    const body = { event_source: { provider: 'webhook', webhook: { sender: 'registry' } } }
    const made = await service.call(triggers.createTrigger, { params, body }, ada.token)
    const url = new URL(made.event_source.webhook?.url ?? '')
    assert.ok(url.searchParams.get('secret')?.length === 40)
    const read = await service.call(
      triggers.getTrigger,
      { params: { project_id: project, trigger_id: made.id } },
      ada.token,
    )
    assert.match(read.event_source.webhook?.url ?? '', /secret=\*\*REDACTED\*\*$/)
    const post = (path: string) =>
      service.ask({ method: 'POST', path, headers: json, body: JSON.stringify({ image: 'web:7' }) })
    assert.equal((await post(addressOf(fireTrigger, { trigger_id: made.id }, { secret: 'guessed' }))).status, 404)
    assert.equal((await post(url.pathname + url.search)).status, 201)
    const [, fired] = await pipelines()
    assert.equal(await sourceOf(fired?.id ?? ''), 'release')
    const values = await service.call(getPipelineValues, { params: { pipeline_id: fired?.id ?? '' } }, ada.token)
    assert.equal(values['pipeline.trigger_parameters.webhook.body'], '{"image":"web:7"}')
    const off = { params: { project_id: project, trigger_id: made.id }, body: { disabled: true } }
    await service.call(triggers.updateTrigger, off, ada.token)
    assert.equal((await post(url.pathname + url.search)).status, 409)
  })

  test('a run names a definition, a configuration of another branch, or brings one along', async () => {
    await using service = await openService()
    const { ada, define, sourceOf, ask } = await openProject(service)
    const release = await define('release', 'ci/release.yml')
    await service.push('acme/web', { 'ci/release.yml': configOf('elsewhere') }, ['other'], ada.token, 'Other')
    const run = async (body: Parameters<typeof service.call<typeof runPipeline>>[1]['body']) => {
      const made = await service.call(runPipeline, { params: slug, body }, ada.token)
      assert.ok('id' in made)
      return sourceOf(made.id)
    }
    assert.equal(await run({ definition_id: release.id, checkout: { branch: 'main' } }), 'release')
    const both = { config: { branch: 'other' }, checkout: { branch: 'main', tag: '' } }
    assert.equal(await run({ definition_id: release.id, ...both }), 'elsewhere')
    assert.equal(await run({ config: { content: configOf('brought') }, checkout: { branch: 'main' } }), 'brought')
    const path = '/api/v2/project/gh/acme/web/pipeline/run'
    assert.equal((await ask('POST', path, { definition_id: service.world.newId() })).status, 404)
    assert.equal((await ask('POST', path, { config: { branch: 'none' }, checkout: { branch: 'main' } })).status, 400)
  })
})
