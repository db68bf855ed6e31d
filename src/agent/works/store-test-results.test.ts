import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepSpec } from '#contract/agent.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'

const store = (path: string): StepSpec => ({ type: 'store_test_results', name: 'Uploading', when: 'always', path })

const xml = (...names: readonly string[]) =>
  `<testsuite>${names.map((name) => `<testcase classname="C" name="${name}" file="${name}.rb" time="1"/>`).join('')}</testsuite>`

async function played(steps: readonly StepSpec[], more: Parameters<typeof job>[1] = {}) {
  await using it = await smallWorld()
  const spec = job(steps, more)
  const { outcome, statuses, logs } = await it.play(spec)
  const kept = [...(it.server.jobs.get(spec.id)?.tests.values() ?? [])].flat()
  return {
    outcome,
    statuses,
    log: logs.at(-1) ?? '',
    tests: kept.flatMap(({ tests }) => tests),
    problems: kept.flatMap(({ problems }) => problems),
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    batches: kept.length,
  }
}

test('files below a folder are read, also after a failure; the first folder is the source', async () => {
  const it = await played([
    run(`mkdir -p r/rspec/deep r/.hidden; echo '${xml('a')}' >r/rspec/deep/a.xml; echo '${xml('b')}' >r/b.junit
      echo '${xml('no')}' >r/.hidden/no.xml; echo '${xml('no')}' >r/no.txt; exit 1`),
    store('r'),
  ])
  assert.deepEqual(it.statuses, ['failed', 'success'])
  assert.deepEqual(
    it.tests.map(({ name, source, file, run_time }) => ({ name, source, file, run_time })),
    [
      { name: 'b', source: 'unknown', file: 'b.rb', run_time: 1 },
      { name: 'a', source: 'rspec', file: 'a.rb', run_time: 1 },
    ],
  )
  assert.match(it.log, /Sent the results of 2 tests\n$/)
})

test('one file can be named, with a home or an odd name', async () => {
  const name = '~/out[1].xml'
  const it = await played([run(`echo '${xml('a')}' >"$HOME/out[1].xml"`), store(name)])
  assert.deepEqual([it.outcome, it.tests.length], ['success', 1])
})

test('bad files are told and do not fail the job', async () => {
  const it = await played([
    run(`mkdir r; echo '${xml('a')}' >r/a.xml; echo '<testsuite><testcase name="half"/>' >r/half.xml
      : >r/empty.xml; echo '{"x":1}' >r/other.json`),
    store('r'),
  ])
  assert.equal(it.outcome, 'success')
  assert.deepEqual(
    it.tests.map(({ name }) => name),
    ['a', 'half'],
  )
  assert.deepEqual(it.problems.length, 3)
  for (const words of [/empty\.xml: .*root element/, /half\.xml: .*unclosed tag/, /other\.json: it is not a report/])
    assert.match(it.log, words)
})

test('a path that is not there, and one without results, are told', async () => {
  const none = await played([store('nowhere')])
  assert.match(none.log, /Unable to save test results from .*\/project\/nowhere: there is no such file or folder/)
  const empty = await played([run('mkdir r'), store('r')])
  assert.match(empty.log, /Found no test results below/)
  assert.deepEqual([none.outcome, empty.outcome], ['success', 'success'])
})

test('secrets are masked in everything that tests tell', async () => {
  const failing = `<testsuite><testcase classname="s3cr3t-value" name="a s3cr3t-value b"><failure message="got s3cr3t-value"/></testcase></testsuite>`
  const it = await played([run(`mkdir s3cr3t-value; echo '${failing}' >s3cr3t-value/x.xml`), store('.')], {
    secrets: ['s3cr3t-value'],
  })
  assert.deepEqual(
    it.tests.map(({ classname, name, message, source }) => [classname, name, message, source]),
    [['****', 'a **** b', 'got ****', '****']],
  )
})

test('many tests come in batches, and each once though answers get lost', async () => {
  await using it = await smallWorld()
  let lost = 0
  it.server.upset((request) => (request.endsWith('/tests') && lost++ % 3 === 0 ? 'drop' : undefined))
  const names = `for i in $(seq 2000); do echo "<testcase name='t$i'/>"; done`
  const spec = job([run(`{ echo '<testsuite>'; ${names}; echo '</testsuite>'; } >x.xml`), store('x.xml')])
  assert.equal((await it.play(spec)).outcome, 'success')
  const batches = it.server.jobs.get(spec.id)?.tests.get(1) ?? []
  assert.ok(batches.every(({ tests }) => tests.length <= 250))
  assert.deepEqual(
    batches.flatMap(({ tests }) => tests.map(({ name }) => name)),
    Array.from({ length: 2000 }, (_, i) => `t${i + 1}`),
  )
})

test('what a failed test printed is sent with it, without secrets, and not too much of it', async () => {
  const it = await played(
    [
      run(`mkdir r; { echo '<testsuite><testcase name="a"><failure message="m">stack</failure><system-out>'
      seq 20000; echo "the key is hunter2-hunter2"; echo '</system-out></testcase><testcase name="b"><system-out>x</system-out></testcase></testsuite>'
      } >r/a.xml`),
      store('r'),
    ],
    { secrets: ['hunter2-hunter2'] },
  )
  const [a, b] = it.tests
  assert.match(a?.output ?? '', /^stack\n\n…[^]*20000\nthe key is \*+$/)
  assert.ok((a?.output ?? '').length < 17_000)
  assert.equal(b?.output, undefined)
})
