import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryOf } from './environment.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld } from './testing/world.ts'

test('a directory is the home, below the home, below where we are, or itself', () => {
  const from = (configured: string) => directoryOf(configured, '/h/project', '/h')
  assert.deepEqual(['~', '~/a', 'b', '.', '/c'].map(from), ['/h', '/h/a', '/h/project/b', '/h/project', '/c'])
})

test('a step sees the variables of its job and nothing of the agent', async () => {
  process.env['AGENT_LEAK'] = 'leaked'
  await using it = await smallWorld()
  const spec = job([run('env', { environment: { STEP: `it's "$HOME" \\ \n two` } })], {
    environment: { JOB: 'j', STEP: 'not this' },
  })
  const { logs } = await it.play(spec)
  const names = [...logs[0]!.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1])
  assert.deepEqual(names.toSorted(), [
    'BASH_ENV',
    'CIRCLE_SHELL_ENV',
    'CIRCLE_WORKING_DIRECTORY',
    'HOME',
    'JOB',
    'LANG',
    'LOGNAME',
    'PATH',
    'PWD',
    'SERVICE_SHELL_ENV',
    'SERVICE_WORKING_DIRECTORY',
    'SHLVL',
    'STEP',
    'TERM',
    'USER',
    '_',
  ])
  assert.match(logs[0]!, /^STEP=it's "\$HOME" \\ \n two$/m)
  assert.match(logs[0]!, /^CIRCLE_WORKING_DIRECTORY=~\/project$/m)
})

test('steps work below the home of their job and hand variables on by BASH_ENV', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(
    job([
      run('echo ${PWD#"$HOME"/}; echo "export HANDED=on" >>"$BASH_ENV"'),
      run('echo $HANDED ${PWD#"$HOME"/}', { working_directory: 'sub/dir' }),
      run('echo ${PWD#"$HOME"/} $0', { working_directory: '~/other', shell: '/bin/sh -e' }),
    ]),
  )
  assert.equal(logs[0], 'project\n')
  assert.equal(logs[1], 'on project/sub/dir\n')
  assert.match(logs[2]!, /^other .*\/step-2\.script\n$/)
})

test('a directory that cannot be made fails the step in words', async () => {
  await using it = await smallWorld()
  const { outcome, logs } = await it.play(job([run('true', { working_directory: '/dev/null/x' })]))
  assert.equal(outcome, 'failed')
  assert.match(logs[0]!, /^mkdir: .*Not a directory\nCannot work in \/dev\/null\/x\n/)
})
