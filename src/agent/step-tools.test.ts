import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentProcess } from './testing/agent-process.ts'
import { fakeServer } from './testing/fake-server.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld, tempFolder } from './testing/world.ts'

async function said(
  command: string,
  settings: Parameters<typeof smallWorld>[0] = {},
  more: Parameters<typeof job>[1] = {},
) {
  await using it = await smallWorld(settings)
  const { logs, codes } = await it.play(job([run(command)], more))
  return codes[0] === 0 ? logs[0] : `${codes[0]}: ${logs[0]}`
}

const files = 'mkdir -p a/b .h; touch a/1_test.js a/b/2_test.js a/b/3_spec.ts .h/4_test.js "a/5 test.js"'

test('tests glob leaves out what a pattern behind an exclamation mark means', async () => {
  const glob = `${files}; circleci tests glob`
  assert.equal(await said(`${glob} 'a/**/*' '!**/*_test.js'`), 'a/5 test.js\na/b\na/b/3_spec.ts\n')
  assert.equal(await said(`${glob} '!a/b/*' '**/*_test.js' "!$PWD/none/**"`), 'a/1_test.js\n')
  assert.equal(
    await said(`${files}; cd a; circleci tests glob "$PWD/**/*.js" '!./b/*' '!5*'`.concat(' | sed "s|.*/||"')),
    '1_test.js\n',
  )
  assert.match((await said(`${glob} '!a/*'`)) ?? '', /^1: Error: tests glob needs at least one pattern/)
})

test('tests glob finds files by patterns, under each of its names', async () => {
  for (const name of ['service', 'circleci', 'circleci-agent']) {
    assert.equal(
      await said(`${files}; ${name} tests glob '**/*_test.js' 'a/b/*.{ts,tsx}'`),
      'a/1_test.js\na/b/2_test.js\na/b/3_spec.ts\n',
    )
  }
  assert.equal(
    await said(`${files}; cd a; circleci tests glob './b/?_test.js' "$PWD/b/[3-9]*" 'none/*' | sed "s|$HOME|~|"`),
    'b/2_test.js\n~/project/a/b/3_spec.ts\n',
  )
})

test('tests split gives each node its part, from input or from a file', async () => {
  const split = `printf 'c\\na\\nb\\n' | circleci tests split`
  const nodes = (index: number) => ({ environment: { CIRCLE_NODE_INDEX: String(index), CIRCLE_NODE_TOTAL: '2' } })
  assert.equal(await said(split, {}, nodes(0)), 'a\nc\n')
  assert.equal(await said(split, {}, nodes(1)), 'b\n')
  assert.equal(await said(`echo c a b | circleci tests split --index 1 --total=3`), 'b\n')
  assert.equal(await said(`printf 'b\\na\\n' >list; circleci tests split --index=0 --total=2 list`), 'a\n')
  assert.equal(await said(`circleci tests split --index=1 --total=2 <(printf 'b\\na\\n')`), 'b\n')
  assert.equal(await said(`printf 'b\\na\\n' | circleci tests split --index=1 --total=2 /dev/stdin`), 'b\n')
  assert.equal(
    await said(`echo a b c | circleci tests split --total=2 --show-counts`),
    'Read 3 items, kept 2 items (index = 0, total = 2)\na\nc\n',
  )
  assert.match(
    (await said('echo a | circleci tests split --index=2 --total=2')) ?? '',
    /^1: Error: --index must be less than/,
  )
  assert.match((await said('circleci tests split --nonsense')) ?? '', /^1: Error: unknown flag: --nonsense\n/)
})

test('tests split weighs by size and by timings', async () => {
  const sizes = `printf 123456789 >big; printf 1234 >mid; printf 12345 >other; echo big mid other none | circleci tests split --split-by=filesize --total=2`
  assert.equal(await said(sizes), 'Cannot find the size of "none"\nbig\nnone\n')
  const timings = { filename: { 'a.rb': 10, 'b.rb': 4, 'c.rb': 5 } }
  const split = (more: string) =>
    `echo ./a.rb b.rb c.rb new.rb | circleci tests split --split-by=timings ${more} --total=2`
  assert.equal(await said(split('--index=0'), { timings }), 'No timing found for "new.rb"\n./a.rb\n')
  assert.equal(await said(split('--index=1'), { timings }), 'No timing found for "new.rb"\nb.rb\nc.rb\nnew.rb\n')
  assert.equal(await said(split('--time-default=20s'), { timings }), 'No timing found for "new.rb"\nnew.rb\n')
  assert.match((await said(split(''))) ?? '', /Falling back to weighting by name\.\n\.\/a\.rb\nc\.rb\n$/)
  assert.match((await said(split(''), { timings: { classname: { X: 1 } } })) ?? '', /^Error auto-detecting timing type/)
})

test('tests run gives the items of the node to its command, and its code back', async () => {
  assert.equal(await said(`echo a b | circleci tests run --command='xargs echo got' --split-by=name`), 'got a b\n')
  assert.equal(await said(`echo a b | circleci tests run --command='cat; exit 7' || echo code $?`), 'a\nb\ncode 7\n')
  assert.equal(
    await said(`echo a | circleci tests run --command='echo never' --index=1 --total=2`),
    'There are no tests to run on this node\n',
  )
  assert.match((await said('echo a | circleci tests run')) ?? '', /^1: Error: tests run needs --command/)
})

test('in a rerun of failed tests only those with a failure are run', async () => {
  const failed = [{ file: './spec/b.rb', classname: 'B', name: 'x' }]
  const command = (more: string) => `echo spec/a.rb spec/b.rb | circleci tests run --command='xargs echo got' ${more}`
  assert.equal(await said(command(''), { failed }), 'got spec/b.rb\n')
  assert.equal(await said(command('-v'), { failed }), 'Rerunning failed tests: 1 of 2\n  spec/b.rb\ngot spec/b.rb\n')
  assert.equal(
    await said(`echo A B | circleci tests run --command='xargs echo got' --timings-type=classname`, { failed }),
    'got B\n',
  )
  assert.equal(
    await said(command(''), { failed: [{ file: '', classname: '', name: 'x' }] }),
    'got spec/a.rb spec/b.rb\n',
  )
})

test('tests in quarantine are left out where that is wanted', async () => {
  const quarantined = ['./spec/b.rb']
  const command = (more: string) => `echo spec/a.rb spec/b.rb | circleci tests run --command='xargs echo got' ${more}`
  assert.equal(await said(command(''), { quarantined }), 'got spec/a.rb spec/b.rb\n')
  assert.equal(await said(command('--skip-quarantined'), { quarantined }), 'got spec/a.rb\n')
  assert.equal(
    await said(command('--skip-quarantined -v'), { quarantined }),
    'Left out, as in quarantine: 1\n  spec/a.rb\ngot spec/a.rb\n',
  )
})

test('env subst sees the variables of the step', async () => {
  assert.equal(
    await said(`export A='x "y"'; circleci env subst '<$A> \${B:-none}'; echo; echo '$A!' | circleci env subst`),
    '<x "y"> none\nx "y"!\n',
  )
})

test('it works in a shell that has nothing else', async () => {
  const bare =
    'mkdir -p only; for f in sh; do ln -sf $(command -v $f) only/$f; done; ln -s $(dirname $(command -v circleci))/* only/; PATH=$PWD/only; export PATH'
  assert.equal(await said(`${bare}; circleci tests split --total=2 <<E\nb\na\nE`), 'a\n')
  assert.equal(await said(`${bare}; echo a | circleci tests run --command='read x; echo got $x'`), 'got a\n')
})

test('what it does not know is said, with what it knows', async () => {
  assert.match((await said('circleci frobnicate now')) ?? '', /^1: Error: unknown command "frobnicate now"\nUsage:/)
  assert.equal(await said('circleci run release log --x=1'), 'Releases are not tracked here: nothing was marked\n')
  assert.match((await said('circleci --help')) ?? '', /^Usage:/)
  assert.equal(await said('circleci version'), '0\n')
})

test('many questions at once are each answered', async () => {
  const command = `for i in 1 2 3 4 5 6 7 8 9 10; do (echo $i | circleci tests split >out-$i) & done; wait; cat out-*; ls "$(dirname "$SERVICE_SHELL_ENV")/mail"`
  const lines = ((await said(command)) ?? '').trim().split('\n')
  assert.deepEqual(
    lines.map(Number).toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('a question that was asked of an agent which is gone is answered by the next', async () => {
  await using server = await fakeServer({ timings: {} })
  using folder = tempFolder()
  await using agent = agentProcess(server.url, folder.path)
  agent.start()
  const spec = job([run(`echo asking; echo b a | circleci tests split --split-by=timings --total=2`)])
  server.upset((request) => (request.startsWith('/timings') ? 'unavailable' : undefined))
  server.enqueue(spec)
  await server.until(() => server.requests.some((request) => request.startsWith('/timings')))
  await agent.kill()
  server.upset(() => undefined)
  agent.start()
  assert.equal((await server.finished(spec.id)).outcome, 'success')
  assert.match(server.logOf(spec.id, 0).toString(), /^asking\nError reading historical.*\na\n$/s)
})

test('files that are no question harm nobody', async () => {
  const mail = 'cd "$(dirname "$SERVICE_SHELL_ENV")/mail"'
  const odd = `${mail}; ln -s /etc/passwd 1-1.args; : >1-1.go; mkdir 1-2.args; : >1-2.go; : >x.go; ln -s /nowhere 1-3.code; : >1-3.go; cd; echo a | circleci tests split`
  assert.equal(await said(odd), 'a\n')
})

test('run oidc get prints a token for whom it is told, which no log shows', async () => {
  await using it = await smallWorld()
  const { logs, codes } = await it.play(
    job([
      run(`service run oidc get; circleci run oidc get --claims '{"aud": "them"}'; circleci run oidc get | tr a-z A-Z`),
      run(`circleci run oidc get --claims '{"sub": "me"}'`),
      run('circleci run oidc put', { when: 'always' }),
    ]),
  )
  assert.equal(logs[0], '****\n****\nTOKEN FOR ANYBODY\n')
  assert.match(logs[1]!, /^Error: --claims must be an object with "aud" and nothing else\n/)
  assert.deepEqual(codes, [0, 1, 1])
})
