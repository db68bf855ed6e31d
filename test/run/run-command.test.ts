import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { folderWith, jobs, step } from './run-here.ts'

const config = '.circleci/config.yml'

test('a whole workflow runs: changes that are not committed, workspace, nodes, artifacts, secrets and contexts', async () => {
  const source = `version: 2.1
parameters: {word: {type: string, default: hi}}
jobs:
  build:
    machine: true
    steps:
      - checkout
      - run: ls; cat kept.txt; git log --format=%s -n 1; mkdir out; echo << pipeline.parameters.word >> > out/word.txt; echo secret $SECRET
      - store_artifacts: {path: out, destination: out}
      - persist_to_workspace: {root: ., paths: [out]}
  test:
    machine: true
    parallelism: 2
    steps: [{attach_workspace: {at: .}}, {run: 'cat out/word.txt; echo node $CIRCLE_NODE_INDEX of $CIRCLE_NODE_TOTAL'}]
  deploy:
    machine: true
    steps: [{run: 'echo on $CIRCLE_BRANCH with \${#TOKEN} letters'}]
workflows:
  main:
    jobs: [build, test: {requires: [build]}, hold: {type: approval, requires: [test]}, deploy: {requires: [hold], context: prod}]
`
  using it = folderWith({ [config]: source, 'kept.txt': 'one\n', '.gitignore': 'ignored\n', ignored: 'x' })
  it.git('init', '--quiet', '--initial-branch=topic')
  it.git('add', '--all')
  it.git('commit', '--quiet', '--message', 'First')
  it.write('kept.txt', 'two\n')
  it.write('new.txt', 'new\n')
  it.git('add', 'new.txt')
  const before = [it.git('status', '--porcelain'), it.git('for-each-ref'), it.git('count-objects')]
  it.write('../env', 'SECRET=hunter2-hunter2\n[prod]\nTOKEN=0123456789\n')
  const flags = ['--env-file', '../env', '--param', 'word=bye', '--approve', 'hold', '--artifacts', '../kept']
  const { status, stdout, stderr } = await it.run(...flags)
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /✓ build .*1 artifact[^]*✓ test [^]*✓ hold +approved[^]*✓ deploy[^]*Workflow main: success in /)
  assert.equal(it.read('../kept/build/artifacts/out/word.txt'), 'bye\n')
  const log = (await it.run('--logs', 'build')).stdout
  assert.match(log, /\nkept\.txt\nnew\.txt\ntwo\nChanges that are not committed yet\nsecret \*\*\*\*\n/)
  assert.match((await it.run('--logs', 'test')).stdout, /bye\nnode 0 of 2\n[^]*bye\nnode 1 of 2\n/)
  assert.match((await it.run('--logs', 'deploy')).stdout, /\non topic with 10 letters\n/)
  assert.deepEqual([it.git('status', '--porcelain'), it.git('for-each-ref'), it.git('count-objects')], before)
})

test('a setup goes on with the configuration that its job makes, and the exit code is that of all workflows', async () => {
  const script = `const { CIRCLE_SERVER_URL: url, CIRCLE_CONTINUATION_KEY: key } = process.env
const configuration = require('fs').readFileSync('next.yml', 'utf8')
const body = JSON.stringify({ 'continuation-key': key, configuration, parameters: { word: 'bye' } })
const headers = { 'content-type': 'application/json' }
fetch(url + '/api/v2/pipeline/continue', { method: 'POST', headers, body }).then((answer) => process.exit(answer.ok ? 0 : 1))`
  const next = `version: 2.1
parameters: {word: {type: string, default: hi}}
jobs:
  build: {machine: true, steps: [{run: echo word << pipeline.parameters.word >>}]}
  broken: {machine: true, steps: [{run: exit 1}]}
workflows: {next: {jobs: [build, broken]}}
`
  const setup = `version: 2.1
setup: true
jobs:
  plan: {machine: true, steps: [checkout, {run: ${JSON.stringify(`${process.execPath} plan.cjs`)}}]}
workflows: {first: {jobs: [plan]}}
`
  using it = folderWith({ [config]: setup, 'next.yml': next, 'plan.cjs': script })
  const { status, stdout, stderr } = await it.run()
  assert.match(stdout, /✓ plan [^]*Workflow first: success/, stdout + stderr)
  assert.match(stdout, /✓ build /)
  assert.match(stdout, /✗ broken [^]*Workflow next: failed/)
  assert.equal(status, 1)
  assert.match((await it.run('--logs', 'build')).stdout, /\nword bye\n/)
})

test('a failed job shows the end of its step and where all of it is, and ends with 1', async () => {
  const lines = step('for i in $(seq 40); do echo line $i; done; exit 3')
  using it = folderWith({ [config]: jobs({ build: lines, after: step('true') }, 'build, after: {requires: [build]}') })
  const { status, stdout } = await it.run()
  assert.equal(status, 1)
  assert.match(stdout, /^✗ build .*step "work" exited with 3\n {4}\| line 2\d\n[^]* {4}\| line 40\n/)
  assert.match(stdout, /whole log: roundhouse run --logs build\n[^]*- after +not run\nWorkflow main: failed in /)
  const file = /^ {4}(\/.*build\.log)$/m.exec(stdout)?.[1] ?? ''
  assert.match(readFileSync(file, 'utf8'), /==== work\nline 1\n/)
})

test('a job runs alone, in a folder that is no checkout, from anywhere below a checkout, with its output as it comes', async () => {
  const source = jobs(
    { build: step('exit 1'), test: `checkout, ${step('cat deep/file; echo $CIRCLE_JOB')}` },
    'build, test: {requires: [build]}',
  )
  using it = folderWith({ [config]: source, 'deep/file': 'from a plain folder\n' })
  const plain = await it.run('test', '--verbose')
  assert.equal(plain.status, 0, plain.stdout + plain.stderr)
  assert.match(plain.stdout, /test \| ==== work\ntest \| from a plain folder\ntest \| test\n[^]*✓ test/)
  it.git('init', '--quiet', '--initial-branch=main')
  const { status, stdout } = await it.runIn('deep', '--job', 'test', '--quiet')
  assert.deepEqual([status, stdout], [0, ''])
})

test('caches are kept from run to run, until they are not wanted', async () => {
  const source = `version: 2.1
jobs:
  build:
    machine: true
    steps: [{restore_cache: {keys: [k]}}, {run: {name: work, command: 'mkdir -p c; cat c/file || echo nothing; echo kept > c/file'}}, {save_cache: {key: k, paths: [c]}}]
`
  using it = folderWith({ [config]: source })
  const said = async (...flags: readonly string[]) => {
    const { stdout } = await it.run('--verbose', ...flags)
    return /\| (kept|nothing)\n/.exec(stdout)?.[1]
  }
  assert.deepEqual([await said(), await said(), await said('--no-cache')], ['nothing', 'kept', 'nothing'])
})

test('interrupted, a run cancels what it began, leaves no process, and ends with 130', async () => {
  using it = folderWith({ [config]: jobs({ build: step('sleep 600 & wait') }, 'build') })
  const { child, said } = it.start(['run', '--verbose'])
  let heard = ''
  child.stdout?.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  while (!heard.includes('==== work') && child.exitCode === null) await pause(50)
  child.kill('SIGINT')
  const { status, stdout } = await said
  assert.equal(status, 130, stdout)
  assert.match(stdout, /Canceling; once more kills[^]*- build .*canceled\nWorkflow main: canceled/)
  assert.deepEqual(await leftOf(it.base), [])
})

test('interrupted twice, a run kills what will not end', async () => {
  using it = folderWith({
    [config]: jobs({ build: step("trap '' TERM INT; echo ready; while :; do sleep 1; done") }, 'build'),
  })
  const { child, said } = it.start(['run', '--verbose'])
  let heard = ''
  child.stdout?.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  while (!heard.includes('| ready') && child.exitCode === null) await pause(50)
  child.kill('SIGINT')
  while (!heard.includes('Canceling') && child.exitCode === null) await pause(20)
  child.kill('SIGINT')
  assert.equal((await said).status, 130)
  assert.deepEqual(await leftOf(it.base), [])
})

/** The processes of a run that do not end with it; one that was killed may take a moment to be gone. */
async function leftOf(base: string): Promise<readonly string[]> {
  const left = () =>
    readdirSync('/proc').filter((name) => /^\d+$/.test(name) && reads(`/proc/${name}/environ`).includes(base))
  for (const end = Date.now() + 60_000; Date.now() < end && left().length > 0;) await pause(50)
  return left()
}

const reads = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

test('what cannot be run is told, ends with 2, and runs nothing', async () => {
  const source = jobs({ build: step('true'), only: step('true') }, 'build, only: {filters: {branches: {only: main}}}')
  using it = folderWith({ [config]: source, 'broken.yml': 'version: 2.1\njobs: [\n', 'bad.env': 'A=1\nhunter2\n' })
  it.git('init', '--quiet', '--initial-branch=topic')
  for (const [args, told] of [
    [
      ['biuld'],
      /^Cannot find workflow or job biuld in \.circleci\/config\.yml\. Did you mean \[build\]\?\nThere are: /,
    ],
    [['only'], /^Cannot run job only, as its filters do not let branch topic in \(\.circleci\/config\.yml:\d+\)/],
    [['--config', 'broken.yml'], /^broken\.yml:\d+:\d+: [^]*broken\.yml: \d problem/],
    [['--env-file', 'bad.env'], /^bad\.env:2: Cannot read this line as it must be NAME=value\n$/],
    [['--env', 'NOT_SET_ANYWHERE'], /^Cannot use --env NOT_SET_ANYWHERE as this shell has no such variable/],
    [['--logs', 'build'], /^Cannot find a log: nothing has run in this checkout yet/],
    [['--colour'], /unknown option '--colour'/],
  ] as const) {
    const { status, stdout, stderr } = await it.run(...args)
    assert.match(stderr, told)
    assert.deepEqual([status, stdout], [2, ''])
  }
  assert.equal(existsSync(join(it.base, 'cache')), false)
})

test('a job on hold that nobody can approve ends the run with 1 and says how', async () => {
  using it = folderWith({
    [config]: jobs({ build: step('true') }, 'hold: {type: approval}, build: {requires: [hold]}'),
  })
  const { status, stdout } = await it.run()
  assert.equal(status, 1)
  assert.match(stdout, /Job hold waits for approval, and nobody can be asked: say --approve hold/)
})
