import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '#config/compile.ts'
import { commandsOf, messagesOf, planOf, storyOf, withWorkflow } from '#config/scenario.ts'

const flag = 'parameters: {flag: {type: boolean, default: false}, name: {type: string, default: ""}}'

/** Whether the workflow `main` runs with this said about it. */
const runs = (said: string, parameters = {}) =>
  planOf(withWorkflow(['a'], `${said}\njobs: [a]`, flag), { parameters }).workflows.length > 0

test('a workflow runs when its condition holds', () => {
  assert.deepEqual(
    [
      runs('when: << pipeline.parameters.flag >>'),
      runs('when: << pipeline.parameters.flag >>', { flag: true }),
      runs('unless: << pipeline.parameters.flag >>'),
      runs('when: {and: [{not: << pipeline.parameters.flag >>}, {equal: [main, << pipeline.git.branch >>]}]}'),
      runs('when: pipeline.git.branch == "main" and not pipeline.parameters.flag'),
      runs('unless: pipeline.git.branch matches /m.*/'),
      runs('when: pipeline.git.branch == << pipeline.parameters.name >>'),
      runs('when: << pipeline.parameters.name >>'),
      runs('when: false'),
    ],
    [false, true, true, true, true, false, true, false, false],
  )
})

test('a workflow that does not run is not looked at', () => {
  assert.deepEqual(messagesOf(withWorkflow(['a'], 'when: false\njobs: [missing, {a: {requires: [b]}}]\nodd: key')), [])
})

test('what is said before and after a job wraps its steps', () => {
  const jobs = 'jobs: [{a: {pre-steps: [checkout, {run: before}], post-steps: [{run: after}]}}]'
  assert.deepEqual(commandsOf(planOf(withWorkflow(['a'], jobs)), 'a'), ['checkout', 'before', 'a', 'after'])
})

test('jobs of one name but different bodies are told apart in the whole configuration', () => {
  const source = [
    'version: 2.1',
    'jobs: {a: {parameters: {x: {type: string, default: "1"}}, machine: true, steps: [{run: "<< parameters.x >>"}]}}',
    'workflows:',
    '  one: {jobs: [a, {hold: {type: approval}}]}',
    '  two: {jobs: [a: {x: "2"}, hold: {type: approval}, b: {type: approval, requires: [a]}]}',
    '  three: {jobs: [a]}',
  ].join('\n')
  assert.deepEqual(storyOf(planOf(source)), ['one: a, hold?', 'two: a-1, hold?, b?(a-1)', 'three: a'])
})

test('which job a workflow runs may be a parameter of the pipeline', () => {
  const source = withWorkflow(
    ['a', 'b'],
    'jobs: [<< pipeline.git.branch >>, {"<< pipeline.git.branch >>": {name: again}}]',
  )
  assert.deepEqual(storyOf(planOf(source, { values: { 'git.branch': 'b' } })), ['main: b, again'])
})

test('contexts are a name or a list, in order', () => {
  const contexts = ['one', '[one, two]', '<< pipeline.git.branch >>-secrets', '[]'].map(
    (context) => planOf(withWorkflow(['a'], `jobs: [{a: {context: ${context}}}]`)).workflows[0]?.jobs[0]?.contexts,
  )
  assert.deepEqual(contexts, [['one'], ['one', 'two'], ['main-secrets'], []])
})

test('a job of an orb may take the place of a local one', () => {
  const orb = 'orbs: {o: {jobs: {a: {machine: true, steps: [{run: orb}]}}}}'
  const command = (instead: string) =>
    commandsOf(planOf(withWorkflow(['a'], `jobs: [{a: {override-with: ${instead}}}]`, orb)), 'a')
  assert.deepEqual([command('o/a'), command('o/missing'), command('p/a')], [['orb'], ['a'], ['a']])
})

test('a workflow with times of its own runs at those only', () => {
  const source = [
    'version: 2.1',
    'jobs: {a: {machine: true, steps: [checkout]}}',
    'workflows:',
    '  push: {jobs: [a]}',
    '  nightly:',
    '    triggers: [{schedule: {cron: "0 3 * * *", filters: {branches: {only: [main, /r-.*/]}}}}]',
    '    jobs: [a]',
  ].join('\n')
  assert.deepEqual(storyOf(planOf(source)), ['push: a'])
  assert.deepEqual(storyOf(planOf(source, { scheduled: 'nightly' })), ['nightly: a'])
  assert.deepEqual(planOf(source).schedules, [
    { workflow: 'nightly', cron: '0 3 * * *', branches: { only: ['main', '/r-.*/'] } },
  ])
})

test('a job can be run alone, whatever the workflows say', () => {
  const source = withWorkflow(['a', 'b'], 'jobs: [a, {b: {requires: [a], filters: {branches: {only: x}}}}]')
  assert.deepEqual(storyOf(planOf(source, { job: 'b' })), ['workflow: b'])
  assert.deepEqual(storyOf(planOf(source, { job: 'b', values: { 'git.tag': 'v1' } })), ['workflow: b'])
  assert.deepEqual(messagesOf(source, { job: 'c' }), ['Cannot find a definition for job named c. Did you mean [a]?'])
})

test('a setup configuration says so, and runs one workflow at most', () => {
  const source = (workflows: string) =>
    `version: 2.1\nsetup: true\njobs: {a: {machine: true, steps: [checkout]}}\nworkflows: {${workflows}}`
  assert.equal(planOf(source('one: {jobs: [a]}')).setup, true)
  assert.deepEqual(messagesOf(source('one: {jobs: [a]}, two: {jobs: [a]}')), [
    'Cannot run more than one workflow of a setup configuration: one, two',
  ])
})

test('parameters given at the trigger are checked against what is declared', () => {
  const source = withWorkflow(
    ['a'],
    'jobs: [a]',
    'parameters: {n: {type: integer, default: 1}, s: {type: enum, enum: [x], default: x}, t: {type: string}}',
  )
  assert.deepEqual(messagesOf(source, { parameters: { n: 'one', m: 1, s: 'y' } }), [
    'Unexpected argument(s): m. Did you mean [n]?',
    'Type error for argument n: expected type: integer, actual value: "one" (type string)',
    'Type error for argument s: expected type: enum (one of x), actual value: "y" (type string)',
    'A pipeline parameter must have a default: t',
  ])
  assert.deepEqual(
    messagesOf('version: 2\njobs: {build: {machine: true, steps: [checkout]}}', { parameters: { x: 1 } }),
    ['Unexpected argument(s): x'],
  )
})

test('the empty configuration that ends a setup is right, and runs nothing', () => {
  assert.deepEqual(planOf('{version: 2, jobs: {}, workflows: {version: 2}}').workflows, [])
})

const mistakes: readonly (readonly [workflow: string, message: string])[] = [
  ['jobs: [b]', 'Cannot find a definition for job named b. Did you mean [a]?'],
  ['when: true', 'required key [jobs] not found'],
  ['jobs: [a]\nwhne: true', 'extraneous key [whne] is not permitted. Did you mean [when]?'],
  ['jobs: a', '[jobs] expected type: Sequence, found: String'],
  [
    'jobs: [{a: {}, b: {}}]',
    'Cannot read an item of [jobs] as it must be the name of a job, or one name with a mapping of what is said about it',
  ],
  ['jobs: [{a: {requiers: [b]}}]', 'Unexpected argument(s): requiers. Did you mean [requires]?'],
  [
    'jobs: [{a: {type: manual}}]',
    '[type] Input not a valid enum value: manual. Valid values: build, approval, no-op, lock, unlock, release',
  ],
  ['jobs: [{h: {type: approval, x: 1}}]', 'Cannot give arguments to a job of type approval: x'],
  ['when: true\nunless: true\njobs: [a]', 'Cannot use both [when] and [unless] in one workflow'],
  ['max_auto_reruns: 9\njobs: [a]', '[max_auto_reruns] must be between 1 and 5, found: 9'],
  ['when: [true]\njobs: [a]', 'Cannot use a sequence as a condition'],
  ['triggers: [{schedule: {cron: daily}}]\njobs: [a]', 'Cannot use [cron]: it must have five fields, found: daily'],
]

for (const [workflow, message] of mistakes) {
  test(`the workflow ${JSON.stringify(workflow)} is refused`, () => {
    assert.equal(messagesOf(withWorkflow(['a'], workflow))[0], message)
  })
}

test('a release keeps the name of its plan in the compiled form, and needs one', () => {
  const source = (rest: string) =>
    `version: 2.1\njobs: {ship: {type: release${rest}}}\nworkflows: {main: {jobs: [ship]}}\n`
  const compiled = compile(source(', plan_name: web'), { parameters: {}, values: {} })
  assert.match(compiled.ok ? compiled.text : '', /ship:\n {4}type: release\n {4}plan_name: web\n/)
  assert.deepEqual(messagesOf(source('')), ['required key [plan_name] not found'])
})

test('a configuration may name a hundred contexts', () => {
  const source = (count: number) =>
    withWorkflow(['a'], `jobs: [a: {context: [${Array.from({ length: count }, (_, i) => `c${i}`).join(', ')}]}]`)
  assert.deepEqual(messagesOf(source(100)), [])
  assert.deepEqual(messagesOf(source(101)), ['Cannot use more than 100 contexts in one configuration: 101 are named'])
})
