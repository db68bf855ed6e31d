import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setConnection } from '#contract/rh/connection.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { openHouse } from './house.ts'
import { payload } from './signed.ts'

const page = (number: number) => `https://github.com/acme/web/pull/${number}`

/** The job fails where it is not told of its pull requests, under every name. */
const config = `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - run: |
          test "$CIRCLE_PULL_REQUEST $CIRCLE_PULL_REQUESTS" = "${page(3)} ${page(3)},${page(5)}"
          test "$SERVICE_PULL_REQUEST $SERVICE_PULL_REQUESTS" = "${page(3)} ${page(3)},${page(5)}"
          test "$CI_PULL_REQUEST $CI_PULL_REQUESTS" = "${page(3)} ${page(3)},${page(5)}"
          test -z "\${CIRCLE_PR_NUMBER-}"
workflows: { main: { jobs: [build] } }
`

test('a push to a branch with open pull requests is told of them by its provider, in jobs, builds and pipelines', async () => {
  await using house = await openHouse('provider-a', { agentSlots: 1 }, config)
  const { service, fake } = house
  fake.will('GET /repos/acme/web', { body: { permissions: { push: true } } })
  await service.call(setConnection, { params: house.slug, body: { token: 'of-project' } })
  const pull = (number: number, id = 1) => ({
    number,
    title: 'Mend',
    html_url: page(number),
    head: { ref: 'mend', sha: '2'.repeat(40), repo: { id } },
    base: { ref: 'main', repo: { id: 1 } },
  })
  const asked = 'GET /repos/acme/web/pulls?state=open&per_page=100&head=acme%3Amend'
  // One of them is of a fork whose branch has the same name.
  fake.will(asked, { body: [pull(5), pull(4, 9), pull(3)] }, { status: 503 }, { body: [] })
  const push = async (words: string, number: number) => {
    await house.clone.commit(words, {})
    await house.push('HEAD:refs/heads/mend')
    const told = payload('github-push', (text) => text.replaceAll('refs/heads/main', 'refs/heads/mend'))
    assert.equal(await house.tell('push', told), `done: pipelines ${number}`)
    return service.until(async () => {
      const query = { branch: 'mend' }
      const { items } = await service.call(listProjectPipelines, { params: house.slug, query })
      const { id, vcs } = items.find((one) => one.number === number) ?? {}
      const rows = service.world.db
        .selectFrom('workflows')
        .select('status')
        .where('pipeline_id', '=', id ?? '')
      const status = (await rows.executeTakeFirst())?.status
      return status === undefined || status === 'running' ? undefined : [status, vcs?.review_id, vcs?.review_url]
    })
  }
  assert.deepEqual(await push('First', 1), ['success', '3', page(3)])
  // What cannot be asked now is as it was; what is closed is gone.
  assert.deepEqual(await push('Second', 2), ['success', '3', page(3)])
  assert.deepEqual(await push('Third', 3), ['failed', undefined, undefined])
  const builds = await service.ask({
    method: 'GET',
    path: '/api/v1.1/project/gh/acme/web/tree/mend',
    headers: { accept: 'application/json', authorization: `Bearer ${service.admin.token}` },
  })
  const records = JSON.parse(builds.text) as readonly { readonly pull_requests: readonly { readonly url: string }[] }[]
  assert.deepEqual(
    records.map(({ pull_requests }) => pull_requests.map(({ url }) => url)),
    [[], [page(3), page(5)], [page(3), page(5)]],
  )
})
