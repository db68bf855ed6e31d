import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, commandsOf, messagesOf, planOf, storyOf } from '#config/scenario.ts'

const source = (workflow: string) =>
  [
    'version: 2.1',
    'parameters: {versions: {type: string, default: x}}',
    'executors: {linux: {docker: [{image: a}]}, mac: {macos: {xcode: 1.0}}}',
    'jobs:',
    '  test:',
    '    parameters: {os: {type: executor, default: linux}, v: {type: integer, default: 1}, extra: {type: steps, default: []}}',
    '    executor: << parameters.os >>',
    '    steps: [{run: test << parameters.v >>}, {steps: << parameters.extra >>}]',
    '  after: {machine: true, steps: [checkout]}',
    `workflows: {main: {jobs: [${workflow}]}}`,
  ].join('\n')

test('a matrix makes a job of every combination, named by the values in the order of the parameters', () => {
  const plan = planOf(source('{test: {matrix: {parameters: {v: [1, 2], os: [linux, mac]}}}}'))
  assert.deepEqual(storyOf(plan), ['main: test-linux-1, test-mac-1, test-linux-2, test-mac-2'])
  assert.deepEqual([bodyOf(plan, 'test-mac-2').executor.type, commandsOf(plan, 'test-mac-2')], ['macos', ['test 2']])
})

test('whoever requires a matrix by its job or its alias requires all of it', () => {
  const story = (matrix: string, need: string) =>
    storyOf(planOf(source(`{test: {matrix: {${matrix}parameters: {v: [1, 2]}}}}, {after: {requires: [${need}]}}`)))
  assert.deepEqual(story('', 'test'), ['main: test-1, test-2, after(test-1 test-2)'])
  assert.deepEqual(story('alias: all, ', 'all'), ['main: test-1, test-2, after(test-1 test-2)'])
  assert.deepEqual(story('', 'test-2'), ['main: test-1, test-2, after(test-2)'])
})

test('the values of a matrix may be used in everything said about its jobs', () => {
  const plan = planOf(
    source(
      '{test: {name: t<< matrix.v >>, context: c<< matrix.v >>, matrix: {parameters: {v: [1, 2]}}, extra: [{run: extra << matrix.v >>}], pre-steps: [{run: pre << matrix.v >>}]}}, {test: {name: u<< matrix.v >>, requires: [t<< matrix.v >>], matrix: {parameters: {v: [1, 2]}}}}',
    ),
  )
  assert.deepEqual(storyOf(plan), ['main: t1, t2, u1(t1), u2(t2)'])
  assert.deepEqual(commandsOf(plan, 't2'), ['pre 2', 'test 2', 'extra 2'])
  assert.deepEqual(plan.workflows[0]?.jobs[1]?.contexts, ['c2'])
})

test('a combination that is excluded is left out', () => {
  const matrix = '{parameters: {v: [1, 2], os: [linux, mac]}, exclude: [{v: 1, os: mac}, {os: linux, v: 2}]}'
  assert.deepEqual(storyOf(planOf(source(`{test: {matrix: ${matrix}}}`))), ['main: test-linux-1, test-mac-2'])
})

test('a matrix that is wrong is told once, whoever requires it', () => {
  const found = messagesOf(source('{test: {matrix: {alias: all, parameters: {v: 1}}}}, {after: {requires: [all]}}'))
  assert.deepEqual(found, ['[v] expected type: Sequence, found: Integer'])
})

const mistakes: readonly (readonly [matrix: string, message: string])[] = [
  ['{}', 'required key [parameters] not found'],
  ['{parameters: {v: 1}}', '[v] expected type: Sequence, found: Integer'],
  ['{parameters: {v: []}}', '[v] must have at least one value'],
  ['{parameters: {v: [1]}, exclude: [{v: 1}]}', 'A matrix must not exclude all of its combinations'],
  [
    '{parameters: {v: [1], os: [mac]}, exclude: [{v: 2}]}',
    '[exclude] must name every parameter of the matrix, missing: os',
  ],
  ['{parameters: {v: [1]}, exclude: [{v: 2, w: 1}]}', '[exclude] names what is no parameter of the matrix: w'],
  ['{parameters: {v: [1, x]}}', 'Type error for argument v: expected type: integer, actual value: "x" (type string)'],
  ['{parameters: {w: [1]}}', 'Unexpected argument(s): w. Did you mean [v]?'],
  ['{parameters: {v: [1]}, alais: a}', 'extraneous key [alais] is not permitted. Did you mean [alias]?'],
]

for (const [matrix, message] of mistakes) {
  test(`the matrix ${matrix} is refused`, () =>
    assert.deepEqual(messagesOf(source(`{test: {matrix: ${matrix}}}`)), [message]))
}
