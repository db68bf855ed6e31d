import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { span } from './outcome.ts'
import { inTime } from './testing/in-time.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld, tempFolder } from './testing/world.ts'

/*
 * What the reference says of steps (A6, B1, B2, B4), a row for each sentence: steps, and what became of them.
 * A log is `*` where it does not matter.
 */

interface Row {
  readonly steps: readonly StepSpec[]
  readonly more?: Partial<JobSpec>
  readonly outcome?: string
  /** Of each step: status, exit code where it matters, log. */
  readonly become: readonly (readonly [string, string] | readonly [string, number, string])[]
}

const bash = (command: string, more: Parameters<typeof run>[1] = {}) =>
  run(command, { shell: '/bin/bash -eo pipefail', ...more })
const always = { when: 'always' } as const
const onFail = { when: 'on_fail' } as const
const fail = run('exit 3')
const failed = ['failed', 3, '*'] as const
const halt = 'circleci step halt'

const rows: Readonly<Record<string, Row>> = {
  'each step has a shell of its own: neither variables nor directories go over to the next': {
    steps: [run('word=1; cd /tmp; echo $PWD'), run('echo "[${word-}]"; [ $PWD != /tmp ] && echo elsewhere')],
    become: [
      ['success', '/tmp\n'],
      ['success', '[]\nelsewhere\n'],
    ],
  },
  'the working directory of a job is made, and that of a step lies below it': {
    steps: [run('pwd'), run('pwd', { working_directory: 'deep/er' }), run('ls deep')],
    more: { working_directory: '~/some/where' },
    become: [
      ['success', '~/some/where\n'],
      ['success', '~/some/where/deep/er\n'],
      ['success', 'er\n'],
    ],
  },
  'a tilde is the home, and nothing else in a working directory is expanded': {
    steps: [
      run('pwd', { working_directory: '~' }),
      run('pwd', { working_directory: '~/x' }),
      run('pwd', { working_directory: '$HOME/y' }),
    ],
    become: [
      ['success', '~\n'],
      ['success', '~/x\n'],
      ['success', '~/project/$HOME/y\n'],
    ],
  },
  'an absolute working directory is itself': {
    steps: [run('pwd', { working_directory: '/' })],
    become: [['success', '/\n']],
  },
  'variables of a step are its own': {
    steps: [run('echo $WORD', { environment: { WORD: 'step' } }), run('echo "[${WORD-}]"')],
    become: [
      ['success', 'step\n'],
      ['success', '[]\n'],
    ],
  },
  'an assignment wins over a step, a step over its job, a job over the image': {
    steps: [run('echo $A $B $C; A=shell; echo $A', { environment: { A: 'step', B: 'step' } }), run('echo $A $B $C')],
    more: {
      executor: { type: 'docker', images: [{ image: 'x', environment: { A: 'image', B: 'image', C: 'image' } }] },
      environment: { A: 'job', B: 'job' },
    },
    become: [
      ['success', 'step step image\nshell\n'],
      ['success', 'job job image\n'],
    ],
  },
  'what a job says of a built-in variable wins over it, and so does a step': {
    steps: [
      run('echo $CIRCLE_WORKING_DIRECTORY'),
      run('echo $CIRCLE_WORKING_DIRECTORY', { environment: { CIRCLE_WORKING_DIRECTORY: 'step' } }),
    ],
    more: { environment: { CIRCLE_WORKING_DIRECTORY: 'job' } },
    become: [
      ['success', 'job\n'],
      ['success', 'step\n'],
    ],
  },
  'a step that fails fails the job; only steps for that follow': {
    steps: [fail, run('echo no'), run('echo on_fail', onFail), run('echo always', always), run('echo no')],
    outcome: 'failed',
    become: [failed, ['skipped', ''], ['success', 'on_fail\n'], ['success', 'always\n'], ['skipped', '']],
  },
  'steps for a failure are left out where there is none': {
    steps: [run('echo one'), run('echo no', onFail), run('echo always', always)],
    become: [
      ['success', 'one\n'],
      ['skipped', ''],
      ['success', 'always\n'],
    ],
  },
  'a step that runs always fails the job too, and one for a failure sees it': {
    steps: [run('exit 5', always), run('echo seen', onFail)],
    outcome: 'failed',
    become: [
      ['failed', 5, '*'],
      ['success', 'seen\n'],
    ],
  },
  'a second failure changes nothing of the first': {
    steps: [fail, run('exit 4', onFail), run('echo still', always)],
    outcome: 'failed',
    become: [failed, ['failed', 4, '*'], ['success', 'still\n']],
  },
  'the first command that fails ends the step': {
    steps: [bash('echo one; false; echo two')],
    outcome: 'failed',
    become: [['failed', 1, 'one\n*']],
  },
  'a failure anywhere in a pipe is one of the pipe, and the last one tells its code': {
    steps: [bash('(exit 3) | cat'), bash('(exit 3) | (exit 4) | cat', always), bash('true | cat', always)],
    outcome: 'failed',
    become: [failed, ['failed', 4, '*'], ['success', '']],
  },
  'without pipefail only the end of a pipe counts': {
    steps: [bash('(exit 3) | cat', { shell: '/bin/bash -e' })],
    become: [['success', '']],
  },
  'a failure that is asked about ends nothing': {
    steps: [bash('if false; then :; fi; false || true; ! true || echo here')],
    become: [['success', 'here\n']],
  },
  'a variable that is not set is empty': {
    steps: [bash('echo "[$NOBODY_HAS_SET_THIS]"')],
    become: [['success', '[]\n']],
  },
  'without a configured shell it is bash, not a login, not interactive': {
    steps: [run('echo ${BASH_VERSION:+bash} $-; shopt -q login_shell || echo no login; false | true')],
    outcome: 'failed',
    become: [['failed', 1, 'bash ehB\nno login\n*']],
  },
  'the shell of a step wins over that of its job': {
    steps: [run('echo $0 ${BASH_VERSION:+bash}'), run('set -o | grep -c "nounset.*on"', { shell: '/bin/bash -u' })],
    more: { shell: '/bin/sh -e' },
    become: [
      ['success', '*'],
      ['success', '1\n'],
    ],
  },
  'any program that reads a file may be the shell': {
    steps: [run('{ print $0 }', { shell: 'cat' }), run('print("x" * 3)', { shell: 'node -e "console.log(1)"' })],
    become: [
      ['success', '{ print $0 }'],
      ['success', '1\n'],
    ],
  },
  'a shell that is not there fails the step in words': {
    steps: [run('true', { shell: '/no/such/shell' })],
    outcome: 'failed',
    become: [['failed', 127, '*no*such*shell*']],
  },
  'a signal is a code as shells tell it': {
    steps: [bash('kill -KILL $$')],
    outcome: 'failed',
    become: [['failed', 137, '*']],
  },
  'what is added to BASH_ENV is there in the next step, and in this one after it is read': {
    steps: [
      bash('echo "export WORD=kept" >>$BASH_ENV; echo "[$WORD]"; . "$BASH_ENV"; echo $WORD'),
      bash('echo $WORD; bash -c "echo inner $WORD"'),
      run('echo "[$WORD]"', { shell: '/bin/sh -e' }),
    ],
    become: [
      ['success', '[]\nkept\n'],
      ['success', 'kept\ninner kept\n'],
      ['success', '[]\n'],
    ],
  },
  'what is added to BASH_ENV wins over the variables of a step, as bash reads it last': {
    steps: [bash('echo "export WORD=kept" >>$BASH_ENV'), bash('echo $WORD', { environment: { WORD: 'step' } })],
    become: [
      ['success', ''],
      ['success', 'kept\n'],
    ],
  },
  'the rest of a step that halts still runs, then nothing does, and the job succeeds': {
    steps: [run(`${halt}; echo rest`), run('echo no'), run('echo no', always), run('echo no', onFail)],
    become: [
      ['success', 'rest\n'],
      ['skipped', ''],
      ['skipped', ''],
      ['skipped', ''],
    ],
  },
  'a step may halt in a function, a subshell, a condition or another script': {
    steps: [bash(`stop() { if true; then (${halt}); fi; }; stop; echo rest`), run('echo no')],
    become: [
      ['success', 'rest\n'],
      ['skipped', ''],
    ],
  },
  'a step that halts and fails fails the job': {
    steps: [run(`${halt}; exit 3`), run('echo no', always)],
    outcome: 'failed',
    become: [failed, ['skipped', '']],
  },
  'a job that was failing when it was halted has failed': {
    steps: [fail, run('circleci-agent step halt', always), run('echo no', always)],
    outcome: 'failed',
    become: [failed, ['success', ''], ['skipped', '']],
  },
  'the older word halts too': {
    steps: [run('circleci task halt'), run('echo no')],
    become: [
      ['success', ''],
      ['skipped', ''],
    ],
  },
  'a step in the background is not waited for, and ends with the job': {
    steps: [
      run('echo begun; touch ~/begun; exec sleep 1000', { background: true }),
      run('until [ -e ~/begun ]; do sleep 0.02; done; echo two'),
    ],
    become: [
      ['canceled', 'begun\n'],
      ['success', 'two\n'],
    ],
  },
  'what a step leaves running does not hold it up': {
    steps: [run('sleep 1000 >/dev/null 2>&1 & echo one'), run('echo two')],
    become: [
      ['success', 'one\n'],
      ['success', 'two\n'],
    ],
  },
  'a step that fails is run again as often as it may, and then fails': {
    steps: [run('echo x; exit 3', { max_auto_reruns: 2, auto_rerun_delay_ms: 1 }), run('echo no')],
    outcome: 'failed',
    become: [
      ['failed', 3, 'x\n*status 3\nx\n*status 3\nx\n*status 3\n'],
      ['skipped', ''],
    ],
  },
  'a step that succeeds when it is run again has succeeded': {
    steps: [run('echo x >>tries; cat tries; [ $(wc -l <tries) = 2 ]', { max_auto_reruns: 5 }), run('echo two')],
    become: [
      ['success', 0, 'x\n*status 1\nx\nx\n'],
      ['success', 'two\n'],
    ],
  },
  'a step that succeeds is not run again': {
    steps: [run('echo x', { max_auto_reruns: 5, auto_rerun_delay_ms: 600_000 })],
    become: [['success', 'x\n']],
  },
  'the time before another run of a step is waited for': {
    steps: [
      run('date +%s%N >>times; [ $(wc -l <times) = 2 ]', { max_auto_reruns: 1, auto_rerun_delay_ms: 700 }),
      run('set -- $(cat times); [ $(( ($2 - $1) / 1000000 )) -ge 690 ] && echo waited'),
    ],
    become: [
      ['success', '*'],
      ['success', 'waited\n'],
    ],
  },
  'silence in the background is no reason to end': {
    steps: [run('sleep 1000', { background: true, no_output_timeout_ms: 100 }), run('sleep 0.6; echo two')],
    become: [
      ['canceled', ''],
      ['success', 'two\n'],
    ],
  },
  'a deploy is a run where a job has one node, and is left out after a failure': {
    steps: [run('echo up', { type: 'deploy' }), fail, run('echo no', { type: 'deploy' })],
    outcome: 'failed',
    become: [['success', 'up\n'], failed, ['skipped', '']],
  },
  'a deploy is for the first node alone': {
    steps: [run('echo one'), run('echo no', { type: 'deploy' }), run('echo three')],
    more: { node_index: 1, node_total: 2 },
    become: [
      ['success', 'one\n'],
      ['skipped', ''],
      ['success', 'three\n'],
    ],
  },
  'a node that halts has succeeded, whatever the others do': {
    steps: [run(halt), run('echo no')],
    more: { node_index: 1, node_total: 3 },
    become: [
      ['success', ''],
      ['skipped', ''],
    ],
  },
}

suite('steps', () => {
  let world: Awaited<ReturnType<typeof smallWorld>>
  before(async () => {
    world = await smallWorld({}, { slots: 4, withoutEngine: 'run' })
  })
  after(() => world[Symbol.asyncDispose]())

  suite('keep to the rules', { concurrency: 4 }, () => {
    for (const [sentence, { steps, more = {}, outcome = 'success', become }] of Object.entries(rows)) {
      test(sentence, async () => {
        const spec = job([run('echo $HOME'), ...steps], more)
        const told = await world.play(spec, 180_000)
        const home = told.logs[0]!.trim()
        const seen = become.map(([, code], index) => [
          told.statuses[index + 1],
          ...(typeof code === 'number' ? [told.codes[index + 1]] : []),
        ])
        const wanted = become.map(([status, code]) => [status, ...(typeof code === 'number' ? [code] : [])])
        assert.deepEqual([told.outcome, ...seen], [outcome, ...wanted], told.logs.join('---\n'))
        for (const [index, row] of become.entries())
          assert.match(told.logs[index + 1]!.replaceAll(home, '~'), patternOf(row.at(-1) as string))
      })
    }
  })

  /** Plays a job that a limit is to end, when it has said its first word. */
  const endedBy = (specOf: (ms: number) => JobSpec) =>
    inTime(1000, async (ms) => {
      const { outcome, reason, statuses, logs } = await world.play(specOf(ms), 180_000 + 2 * ms)
      return logs[0]?.startsWith('one\n') ? { ms, reason, ended: [outcome, ...statuses], log: logs[0] } : undefined
    })

  test('too long a silence ends the job, and nothing follows', async () => {
    const { ms, reason, ended, log } = await endedBy((limit) =>
      job([
        run('echo one; sleep 1000', { no_output_timeout_ms: limit }),
        run('echo no', always),
        run('echo no', onFail),
      ]),
    )
    assert.deepEqual(ended, ['timedout', 'timedout', 'skipped', 'skipped'])
    const words = `\nToo long with no output (exceeded ${span(ms)}): context deadline exceeded\n`
    assert.ok(log.endsWith(words), log)
    assert.equal(reason, `The job was stopped as step "echo one; sleep 1000" wrote nothing for ${span(ms)}`)
  })

  test('the time of a job ends it, and nothing follows', async () => {
    const { ms, reason, ended } = await endedBy((limit) =>
      job([run('echo one; sleep 1000'), run('echo no', always)], { time_limit_ms: limit }),
    )
    assert.deepEqual(ended, ['timedout', 'timedout', 'skipped'])
    assert.equal(reason, `The job was stopped as it ran longer than ${span(ms)}`)
  })

  test('a step in the background that fails fails nothing', async () => {
    using folder = tempFolder()
    const go = join(folder.path, 'go')
    const waits = run(`until [ -e ${go} ]; do sleep 0.02; done; echo two`)
    const spec = job([run('exit 3', { background: true }), waits, run('echo no', onFail)])
    world.server.enqueue(spec)
    await world.server.until(() => world.server.jobs.get(spec.id)?.steps.get(0)?.status === 'failed')
    writeFileSync(go, '')
    const { outcome, steps } = await world.server.finished(spec.id, 180_000)
    const ended = steps.map(({ status, exit_code }) => [status, exit_code])
    assert.deepEqual([outcome, ...ended], ['success', ['failed', 3], ['success', 0], ['skipped', null]])
  })

  test('a canceled job runs nothing more, not even what runs always', async () => {
    const steps = [run('echo up; sleep 1000'), run('echo no', always), run('echo no', onFail)]
    const spec = job([run('sleep 1000', { background: true }), ...steps])
    world.server.enqueue(spec)
    await world.server.until(() => world.server.logOf(spec.id, 1).includes('up'), 180_000)
    world.server.change(spec.id, { canceled: true })
    const { outcome, steps: ended } = await world.server.finished(spec.id, 180_000)
    const statuses = ended.map(({ status }) => status)
    assert.deepEqual([outcome, ...statuses], ['canceled', 'canceled', 'canceled', 'skipped', 'skipped'])
  })
})

/** A text in which a star stands for anything. */
const patternOf = (text: string) =>
  new RegExp(`^${text.replace(/[$()+.?[\\\]^{|}]/g, '\\$&').replaceAll('*', '[^]*')}$`)
