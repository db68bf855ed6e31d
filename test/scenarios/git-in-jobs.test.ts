import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCheckoutKey } from '#contract/v2/checkout-key.ts'
import { newPerson } from '#test/api/people.ts'
import { newClone } from '#test/api/repository.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }

/** Turned round, so that it is not hidden: the test must know it. */
const tell = 'rev ~/.git-job-credential'
const who = '-c user.name=Job -c user.email=job@example.com'

const config = (lib: string) => `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - checkout
      - run: { name: fetch, command: "git fetch origin && git ls-remote origin refs/heads/main" }
      - run: { name: hide, command: "cat ~/.git-job-credential .git/config ~/.gitconfig; git remote -v" }
      - run: { name: tell, command: "${tell}" }
      - run: { name: submodule, command: "git ${who} submodule add ${lib} lib 2>&1 && cat lib/words || echo no lib" }
      - run: { name: push, command: "git ${who} commit -qm 'From a job [skip ci]' --allow-empty; git push origin HEAD:refs/heads/pushed 2>&1 && echo well || echo refused" }
workflows: { main: { jobs: [build] } }
`

test('steps of a job reach its repository as the checkout key lets them, and no longer than the job lasts', async () => {
  await using service = await openService({ agentSlots: 1 })
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/lib', { words: 'of the library\n' }, ['main'], ada.token)
  const eyes = watch(service, 'web', ada.token)
  const run = async (branch: string) => {
    const yaml = config(service.remote('acme/lib', ''))
    await service.push('acme/web', { '.service/config.yml': yaml }, [branch], ada.token, branch)
    const { id, pipeline_id } = await eyes.workflowOf(branch)
    await eyes.workflowIs(id, pipeline_id, 'success')
    const [job] = await eyes.jobsOf(id)
    return (step: string) => eyes.logOf(job!.id, step)
  }
  await using clone = await newClone()
  const heads = () => clone.git('ls-remote', '--heads', service.remote('acme/web', ada.token))

  const reads = await run('main')
  assert.match(await reads('fetch'), /[0-9a-f]{40}\trefs\/heads\/main\n/)
  const hidden = await reads('hide')
  assert.match(hidden, /^username=job\npassword=\*\*\*\*\n\[core\]/)
  assert.doesNotMatch(hidden, /rhg_|Authorization/)
  assert.match(await reads('submodule'), /no lib\n$/)
  assert.match(await reads('push'), /refused\n$/)
  assert.doesNotMatch(await heads(), /pushed/)
  const [, token = ''] = /password=(\S+)/.exec((await reads('tell')).split('').toReversed().join('')) ?? []
  assert.ok(token.length > 40, 'The test must have seen the credential')
  await assert.rejects(
    clone.git('ls-remote', service.remote('acme/web', token)),
    /Authentication failed|could not read/,
    'A credential must end with its job',
  )

  await service.call(createCheckoutKey, { params: slug, body: { type: 'user-key' } }, ada.token)
  const writes = await run('second')
  assert.match(await writes('submodule'), /of the library\n$/)
  assert.match(await writes('push'), /well\n$/)
  assert.match(await heads(), /refs\/heads\/pushed/)
})
