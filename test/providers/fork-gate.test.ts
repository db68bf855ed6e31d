import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvePipeline, getApproval } from '#contract/rh/forks.ts'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import { openHouse } from './house.ts'
import { payload } from './signed.ts'

type Pull = Record<string, unknown> & { state: string; merged?: boolean; base: { ref: string } }

/** The hook of a fork's pull request, with another action and state. */
function told(action: string, revision: string, change: (pull: Pull) => void = () => {}): string {
  const hook = JSON.parse(payload('github-pull-fork', (text) => text.replaceAll('2'.repeat(40), revision))) as {
    action: string
    pull_request: Pull
  }
  hook.action = action
  change(hook.pull_request)
  return JSON.stringify(hook)
}

test('the gate of a fork outlives closing, opening again, another base and a forced push', async () => {
  await using house = await openHouse('provider-a')
  const { service } = house
  const advanced = { build_fork_prs: true }
  await service.call(updateProjectSettings, { params: house.slug, body: { advanced } })
  // Strangers do not decide that nobody looks at their code.
  const revision = await house.clone.commit('Of a fork [skip ci]', { 'fork.txt': 'x' })
  await house.push('HEAD:refs/pull/5/head')
  const tell = (...hook: Parameters<typeof told>) => house.tell('pull_request', told(...hook))
  assert.equal(await tell('opened', revision), 'done: pipeline 1, which waits for approval')
  const { id } = await service.world.db.selectFrom('pipelines').select('id').executeTakeFirstOrThrow()
  const status = async () =>
    (await service.world.db.selectFrom('workflows').select('status').where('pipeline_id', '=', id).execute()).map(
      (row) => row.status,
    )
  await service.until(async () => ((await status())[0] === 'on_hold' ? true : undefined))
  const gate = async () => [
    (await service.call(getApproval, { params: { pipeline_id: id } })).state,
    ...(await status()),
  ]
  const close = (pull: Pull) => void (pull.state = 'closed')
  assert.match(await tell('closed', revision, close), /is closed/)
  assert.deepEqual(await gate(), ['waiting', 'on_hold'])
  assert.match(await tell('reopened', revision), /was built before/)
  assert.deepEqual(await gate(), ['waiting', 'on_hold'])
  assert.match(await tell('edited', revision, (pull) => void (pull.base.ref = 'release')), /has no new code/)
  assert.deepEqual(await gate(), ['waiting', 'on_hold'])
  await house.clone.git('commit', '--quiet', '--amend', '--message', 'Forced')
  await house.push('HEAD:refs/pull/5/head')
  const forced = await house.clone.revision('HEAD')
  assert.equal(await tell('synchronize', forced), 'done: pipeline 2, which waits for approval')
  assert.deepEqual(await gate(), ['waiting', 'on_hold'])
  const wrong = { params: { pipeline_id: id }, body: { revision: forced } }
  await assert.rejects(service.call(approvePipeline, wrong), /409 !== 202/)
  assert.deepEqual(await gate(), ['waiting', 'on_hold'])
  // Forced back, it waits for an approval of its own, though its commit had one pipeline; told again, it does not.
  await house.push(`${revision}:refs/pull/5/head`)
  assert.equal(await tell('synchronize', revision), 'done: pipeline 3, which waits for approval')
  assert.match(await tell('synchronize', revision), /was built before/)
  assert.deepEqual(await gate(), ['waiting', 'on_hold'])
})
