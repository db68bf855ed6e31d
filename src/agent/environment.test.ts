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
    'CIRCLE_INTERNAL_TASK_DATA',
    'CIRCLE_SHELL_ENV',
    'CIRCLE_WORKING_DIRECTORY',
    'HOME',
    'JOB',
    'LANG',
    'LOGNAME',
    'PATH',
    'PWD',
    'SERVICE_INTERNAL_TASK_DATA',
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

test('the entry of an image, the job, the step and the command each have the last word over those before', async () => {
  await using it = await smallWorld()
  const four = (value: string, count: number) =>
    Object.fromEntries(['A', 'B', 'C', 'D'].slice(0, count).map((name) => [name, value]))
  const { logs } = await it.play(
    job([run('A=command; echo $A $B $C $D', { environment: four('step', 2) }), run('echo $A $B $C $D')], {
      environment: four('job', 3),
      executor: { type: 'docker', images: [{ image: 'x', environment: four('image', 4) }] },
    }),
  )
  assert.deepEqual(logs, ['command step job image\n', 'job job job image\n'])
})

test('what a step adds to BASH_ENV is read by every bash after it, not by itself and not by sh', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(
    job([
      run(
        'echo "export X=1 Y=$((X + 1))" >>"$BASH_ENV"; echo [$X]; . "$BASH_ENV"; echo [$X]; [ "$BASH_ENV" = "$CIRCLE_SHELL_ENV" ]',
      ),
      run('echo "export Y=$((Y + 1))" >>"$BASH_ENV"; echo [$X $Y]'),
      run('echo [$X $Y]; bash -c "echo [\\$X \\$Y]"', { environment: { Y: 'the step has no last word over it' } }),
      run('echo [$Y]', { shell: '/bin/sh' }),
    ]),
  )
  assert.deepEqual(logs, ['[]\n[1]\n', '[1 1]\n', '[1 2]\n[1 2]\n', '[]\n'])
})

test('a step finds the in-job command first on its search path, and the usual programs', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(
    job([
      run('for name in service circleci circleci-agent; do command -v $name; done; ls >/dev/null; echo ${PATH%%:*}'),
    ]),
  )
  const [service = '', circleci, agent, first] = logs[0]!.split('\n')
  assert.deepEqual([circleci, agent], [`${first}/circleci`, `${first}/circleci-agent`])
  assert.equal(service, `${first}/service`)
})

test('a step without a shell of its own stops at the first failure, also in a pipe; another shell has its own rules', async () => {
  await using it = await smallWorld()
  const always = { when: 'always' } as const
  const { codes, logs } = await it.play(
    job(
      [
        run('false; echo on', always),
        run('false | cat; echo on', always),
        run('false; echo on', { ...always, shell: '/bin/bash' }),
        run('false | cat; echo on', { ...always, shell: 'bash -e' }),
        run('echo $1 "$0"', { ...always, shell: '/bin/sh -c \'echo words "$0" | sed s,/.*/,,\'' }),
        run('BEGIN { print "awk" }', { ...always, shell: 'awk -f' }),
        run('echo never', { ...always, shell: '/no/such/shell -e' }),
      ],
      {},
    ),
  )
  assert.deepEqual(codes, [1, 1, 0, 0, 0, 0, 127])
  assert.deepEqual(logs.slice(2, 6), ['on\n', 'on\n', 'words step-4.script\n', 'awk\n'])
  assert.match(logs[6]!, /\/no\/such\/shell.*not found/)
})

test('the shell of a job is that of every step that names none', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(
    job([run('echo ${BASH_VERSION:+bash} $-'), run('echo ${BASH_VERSION:+bash}', { shell: '/bin/bash' })], {
      shell: '/bin/sh -eu',
    }),
  )
  assert.match(logs[0]!, /^(eu|ue)\n$/)
  assert.equal(logs[1], 'bash\n')
})
