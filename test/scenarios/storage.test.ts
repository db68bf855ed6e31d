import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { deleteCaches, listCaches } from '#contract/rh/caches.ts'
import { listArtifacts } from '#contract/rh/artifacts.ts'
import { listArtifacts as listV1, listLatestArtifacts } from '#contract/v1/artifacts.ts'
import { getBuild, retryBuild } from '#contract/v1/builds.ts'
import { deleteBuildCache } from '#contract/v1/projects.ts'
import { listJobArtifacts } from '#contract/v2/job.ts'
import { getProject } from '#contract/v2/project.ts'
import { rerunWorkflow } from '#contract/v2/workflow.ts'
import { newPerson } from '#test/api/people.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }
const named = { vcs: 'provider-a', org: 'acme', repo: 'web' }

const job = (name: string, ...steps: readonly string[]) =>
  `  ${name}:\n    machine: true\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`

const config = (jobs: readonly string[], graph: readonly string[]) =>
  `version: 2.1\njobs:\n${jobs.join('')}workflows:\n  main:\n    jobs:\n${graph.map((one) => `      - ${one}\n`).join('')}`

async function stage() {
  const stack = new AsyncDisposableStack()
  const service = stack.use(await openService({ agentSlots: 2 }))
  const ada = await newPerson(service.world, 'ada')
  const eyes = watch(service, 'web', ada.token)
  return {
    service,
    ada,
    eyes,
    /** Pushes a configuration to a branch and waits for the end of its workflow. */
    async run(yaml: string, branch = 'main', files: Readonly<Record<string, string>> = {}) {
      await service.push('acme/web', { '.service/config.yml': yaml, ...files }, [branch], ada.token, branch)
      const { id, pipeline_id } = await eyes.workflowOf(branch)
      await eyes.workflowIs(id, pipeline_id, 'success', 'failed')
      const jobs = await eyes.jobsOf(id)
      const jobOf = (name: string) => jobs.find((one) => one.name === name)!
      const logOf = (name: string, step: string) => eyes.logOf(jobOf(name).id, step)
      return { id, statuses: await eyes.statuses(id), jobOf, logOf }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const write =
  'run: "mkdir -p deps/bin && seq 1 50000 > deps/numbers && ln -s ../numbers deps/bin/link && echo x > ~/.tool"'

describe('caches', { concurrency: true }, () => {
  test('what a job saves another one restores, by checksum and by prefix, newest first', async () => {
    await using it = await stage()
    const save = 'save_cache: { key: \'v1-{{ .Branch }}-{{ checksum "lock" }}\', paths: [deps, ~/.tool, nothing] }'
    const restore = 'restore_cache: { keys: [v0-, v1-main-] }'
    const yaml = config(
      [
        job('make', 'checkout', write, save, save),
        job('use', restore, 'run: { name: look, command: "sha256sum < deps/bin/link; cat ~/.tool" }'),
      ],
      ['make', 'use: { requires: [make] }'],
    )
    const ran = await it.run(yaml, 'main', { lock: 'some versions\n' })
    assert.deepEqual(ran.statuses, { make: 'success', use: 'success' })
    const sum = createHash('sha256').update('some versions\n').digest('base64').replaceAll('/', '_')
    const restored = await ran.logOf('use', 'Restoring cache')
    assert.match(restored, /^No cache is found for key: v0-\nFound a cache from build 1 at /)
    assert.ok(restored.includes(`v1-main-${sum}\n`), restored)
    const numbers = Array.from({ length: 50_000 }, (_, i) => `${i + 1}\n`).join('')
    const expected = createHash('sha256').update(numbers).digest('hex')
    assert.equal(await ran.logOf('use', 'look'), `${expected}  -\nx\n`)
    const saved = await ran.logOf('make', 'Saving cache')
    assert.match(saved, /^Warning: could not archive \S+\/nothing - Not found\nCreating cache archive/)
    assert.ok(saved.includes(`Stored Cache to v1-main-${sum}\n`), saved)
  })

  test('a key is written once, and again when somebody has cleared the caches', async () => {
    await using it = await stage()
    const yaml = config([job('make', write, 'save_cache: { key: fixed, paths: [deps] }')], ['make'])
    await it.run(yaml)
    const again = await it.run(yaml, 'second')
    assert.match(
      await again.logOf('make', 'Saving cache'),
      /^Skipping cache generation, cache already exists for key: fixed\nFound one created at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC\n$/,
    )
    const { id } = await it.service.call(getProject, { params: slug }, it.ada.token)
    const keys = async () =>
      (await it.service.call(listCaches, { params: { id }, query: {} }, it.ada.token)).items.map(({ key }) => key)
    assert.deepEqual(await keys(), ['fixed'])
    const forget = (prefix: string) =>
      it.service.call(deleteCaches, { params: { id }, query: { prefix } }, it.ada.token).then(({ deleted }) => deleted)
    assert.deepEqual([await forget('other'), await keys()], [0, ['fixed']])
    assert.deepEqual([await forget('fix'), await keys()], [1, []])
    const third = await it.run(yaml, 'third')
    assert.match(await third.logOf('make', 'Saving cache'), /Stored Cache to fixed\n/)
    await it.service.call(deleteBuildCache, { params: named }, it.ada.token)
    assert.deepEqual(await keys(), [])
  })

  test('a key that cannot be made fails its step and says why', async () => {
    await using it = await stage()
    const yaml = config(
      [
        job('missing', 'save_cache: { key: \'{{ checksum "none" }}\', paths: [a] }'),
        job('strange', 'restore_cache: { key: "a-{{ .Moon }}" }'),
      ],
      ['missing', 'strange'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(ran.statuses, { missing: 'failed', strange: 'failed' })
    assert.match(await ran.logOf('missing', 'Saving cache'), /^Cannot compute the cache key .*none/)
    assert.match(await ran.logOf('strange', 'Restoring cache'), /\{\{ \.Moon \}\}: nobody knows this template\n$/)
  })
})

const persist = (root: string, ...paths: string[]) =>
  `persist_to_workspace: { root: ${root}, paths: ${JSON.stringify(paths)} }`

describe('workspaces', { concurrency: true }, () => {
  test('a job sees the layers of all jobs before it, later ones over earlier ones, and of no others', async () => {
    await using it = await stage()
    const yaml = config(
      [
        job(
          'first',
          'run: mkdir -p out/sub && echo 1 > out/a.txt && echo 1 > out/sub/b.txt && echo 1 > out/.hidden',
          persist('out', '*.txt', 'sub'),
        ),
        job(
          'left',
          'attach_workspace: { at: out }',
          'run: echo left > out/left && echo 2 > out/a.txt',
          persist('out', 'a.txt', 'left'),
        ),
        job('right', 'run: mkdir -p out/r/s && echo right > out/r/s/x', persist('.', 'out/r')),
        job('aside', 'run: echo aside > aside', persist('.', '.')),
        job(
          'last',
          'attach_workspace: { at: ws }',
          'run: { name: look, command: "cd ws && find . -type f | sort | xargs grep -H ." }',
        ),
      ],
      ['first', 'left: { requires: [first] }', 'right', 'aside', 'last: { requires: [left, right] }'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(new Set(Object.values(ran.statuses)), new Set(['success']))
    assert.equal(await ran.logOf('last', 'look'), './a.txt:2\n./left:left\n./out/r/s/x:right\n./sub/b.txt:1\n')
  })

  test('jobs side by side that persist the same file cannot be attached; what matches nothing fails', async () => {
    await using it = await stage()
    const same = ['run: echo $RANDOM > same', persist('.', 'same')]
    const yaml = config(
      [
        job('a', ...same),
        job('b', ...same),
        job('both', 'attach_workspace: { at: . }'),
        job('none', persist('.', 'x*')),
      ],
      ['a', 'b', 'both: { requires: [a, b] }', 'none'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(ran.statuses, { a: 'success', b: 'success', both: 'failed', none: 'failed' })
    assert.match(
      await ran.logOf('both', 'Attaching workspace'),
      /Error applying workspace layer for job \S+: Concurrent upstream jobs persisted the same file\(s\)\n {2}"same" of a and b\n$/,
    )
    assert.match(await ran.logOf('none', 'Persisting to workspace'), /^The specified paths did not match any files in /)
  })

  test('a rerun from failed sees the layers of the jobs that it does not run again', async () => {
    await using it = await stage()
    const yaml = config(
      [
        job('make', 'run: echo $RANDOM$RANDOM > made', persist('.', 'made')),
        job('use', 'attach_workspace: { at: . }', 'run: { name: look, command: cat made; false }'),
      ],
      ['make', 'use: { requires: [make] }'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(ran.statuses, { make: 'success', use: 'failed' })
    const body = { from_failed: true }
    const { workflow_id } = await it.service.call(rerunWorkflow, { params: { id: ran.id }, body }, it.ada.token)
    const use = await it.eyes.jobIs(workflow_id, 'use', 'failed')
    const made = await ran.logOf('use', 'look')
    assert.match(made, /^\d+\n/)
    assert.equal(await it.eyes.logOf(use.id, 'look'), made)
  })
})

describe('workspaces and reruns', { concurrency: true }, () => {
  test('an empty workspace is attached, and says so; the retry of a single build sees what the first run saw', async () => {
    await using it = await stage()
    const yaml = config(
      [
        job('lonely', 'attach_workspace: { at: . }'),
        job('make', 'run: echo $RANDOM$RANDOM > made', 'persist_to_workspace: { root: ., paths: [made] }'),
        job('use', 'attach_workspace: { at: . }', 'run: { name: look, command: cat made }'),
      ],
      ['lonely', 'make', 'use: { requires: [make] }'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(new Set(Object.values(ran.statuses)), new Set(['success']))
    assert.match(await ran.logOf('lonely', 'Attaching workspace'), /^There is nothing in the workspace: /)
    const made = await ran.logOf('use', 'look')
    assert.match(made, /^\d+\n$/)
    const params = { ...named, build_num: ran.jobOf('use').job_number ?? 0 }
    const { build_num } = await it.service.call(retryBuild, { params, body: {} }, it.ada.token)
    const again = await it.service.until(async () => {
      const found = await it.service.world.db
        .selectFrom('jobs')
        .select(['id', 'status'])
        .where('number', '=', build_num ?? 0)
        .executeTakeFirst()
      return found?.status === 'success' ? found : undefined
    })
    assert.equal(await it.eyes.logOf(again.id, 'look'), made)
  })

  test('a workspace of which something is gone is not attached, and its job says what and why', async () => {
    await using it = await stage()
    const yaml = config(
      [
        job('first', 'run: echo 1 > one', persist('.', 'one')),
        job('second', 'run: echo 2 > two', persist('.', 'two')),
        job('use', 'attach_workspace: { at: . }', 'run: { name: look, command: cat one two; false }'),
      ],
      ['first', 'second', 'use: { requires: [first, second] }'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(ran.statuses, { first: 'success', second: 'success', use: 'failed' })
    const { db, now } = it.service.world
    await db.updateTable('layers').set({ expires_at: now() }).where('job_id', '=', ran.jobOf('second').id).execute()
    const body = { from_failed: true }
    const { workflow_id } = await it.service.call(rerunWorkflow, { params: { id: ran.id }, body }, it.ada.token)
    const use = await it.eyes.jobIs(workflow_id, 'use', 'failed')
    assert.match(
      await it.eyes.logOf(use.id, 'Attaching workspace'),
      /^What second persisted to the workspace is gone: it is kept for 15 days\. Rerun the workflow from its start\n/,
    )
  })
})

describe('artifacts', { concurrency: true }, () => {
  test('files and trees can be listed in every generation and downloaded with curl', async () => {
    await using it = await stage()
    const yaml = config(
      [
        job(
          'make',
          `run: mkdir -p out/sub 'out/a b' && echo hello > out/sub/hello.txt && echo '<h1>' > 'out/a b/é.html' && head -c 3000000 /dev/zero > out/zeros && ln -s /etc/passwd out/leak`,
          'store_artifacts: { path: out }',
          'store_artifacts: { path: out/sub/hello.txt, destination: greeting }',
          'store_artifacts: { path: ./out/sub, destination: /x/../tree/ }',
          'store_artifacts: { path: none }',
        ),
      ],
      ['make'],
    )
    const ran = await it.run(yaml)
    assert.deepEqual(ran.statuses, { make: 'success' })
    const { id, job_number = 0 } = ran.jobOf('make')
    const expected = ['greeting', 'out/a b/é.html', 'out/sub/hello.txt', 'out/zeros', 'tree/hello.txt']
    const v1 = await it.service.call(listV1, { params: { ...named, build_num: job_number } }, it.ada.token)
    const latest = await it.service.call(
      listLatestArtifacts,
      { params: named, query: { branch: 'main', filter: 'successful' } },
      it.ada.token,
    )
    const v2 = await it.service.call(listJobArtifacts, { params: { ...slug, job_number }, query: {} }, it.ada.token)
    assert.deepEqual(v1.map(({ pretty_path }) => pretty_path).toSorted(), expected)
    assert.deepEqual(latest, v1)
    const build = await it.service.call(getBuild, { params: { ...named, build_num: job_number } }, it.ada.token)
    assert.equal(build.has_artifacts, true)
    assert.deepEqual(v2.items.map(({ path }) => path).toSorted(), expected)

    const curl = async (...args: readonly string[]) =>
      (await promisify(execFile)('curl', ['-sS', ...args], { encoding: 'buffer', maxBuffer: 1e8 })).stdout
    const urlOf = (path: string) => v2.items.find((item) => item.path === path)!.url
    const token = ['-H', `Circle-Token: ${it.ada.token}`]
    assert.equal((await curl('-L', ...token, urlOf('greeting'))).toString(), 'hello\n')
    assert.equal((await curl('-u', `${it.ada.token}:`, urlOf('out/sub/hello.txt'))).toString(), 'hello\n')
    assert.equal((await curl(`${urlOf('tree/hello.txt')}?circle-token=${it.ada.token}`)).toString(), 'hello\n')
    assert.equal((await curl(...token, urlOf('out/zeros'))).length, 3_000_000)
    assert.equal((await curl('-r', '1-3', ...token, urlOf('greeting'))).toString(), 'ell')
    assert.equal((await curl('-r', '-2', ...token, urlOf('greeting'))).toString(), 'o\n')
    assert.match((await curl('-r', '9-', ...token, urlOf('greeting'))).toString(), /Cannot send this range/)
    assert.match((await curl(urlOf('greeting'))).toString(), /You must log in first/)
    const head = (await curl('-D', '-', ...token, urlOf('out/a b/é.html'))).toString().toLowerCase()
    assert.match(head, /content-type: text\/html; charset=utf-8/)
    assert.match(head, /content-security-policy: sandbox/)
    assert.match(head, /x-content-type-options: nosniff/)

    const own = await it.service.call(listArtifacts, { params: { id }, query: {} }, it.ada.token)
    const { signed_url: signed } = own.items.find(({ path }) => path === 'greeting')!
    assert.equal((await curl(signed)).toString(), 'hello\n')
    assert.match((await curl(signed.replace('/greeting?', '/out/zeros?'))).toString(), /You must log in first/)
    it.service.clock.aheadMs = 11 * 60_000
    assert.match((await curl(signed)).toString(), /You must log in first/)
  })
})
