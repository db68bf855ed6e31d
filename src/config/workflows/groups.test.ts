import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesOf, planOf, storyOf, withWorkflow } from '#config/scenario.ts'

const group = 'job-groups: {ship: {jobs: [b, {c: {requires: [b]}}]}}'
const story = (workflow: string, rest = group) => storyOf(planOf(withWorkflow(['a', 'b', 'c'], workflow, rest)))

test('a group is put in the place of its invocation, between a start and an end', () => {
  assert.deepEqual(story('jobs: [a, {ship: {requires: [a]}}, {d: {type: approval, requires: [ship]}}]'), [
    'main: a, ship-start.(a), b(ship-start), c(b), ship-end.(b c), d?(ship-end)',
  ])
})

test('a group with a name of its own can be used twice', () => {
  assert.deepEqual(story('jobs: [{ship: {name: x}}, {ship: {name: y, requires: [x]}}]'), [
    'main: x-start., x-b(x-start), x-c(x-b), x-end.(x-b x-c), y-start.(x-end), y-b(y-start), y-c(y-b), y-end.(y-b y-c)',
  ])
})

test('a serial group locks before and unlocks after, however the job ends', () => {
  const plan = planOf(
    withWorkflow(
      ['a', 'b'],
      'jobs: [a, {b: {requires: [a], serial-group: "deploy/<< pipeline.git.branch >>"}}, {d: {type: approval, requires: [b]}}]',
    ),
  )
  assert.deepEqual(storyOf(plan), [
    'main: a, b-lock+(a), b(b-lock), b-unlock-(b=success/failed/canceled/unauthorized/not_run), d?(b)',
  ])
  assert.deepEqual(
    plan.workflows[0]?.jobs.map(({ key }) => key),
    [undefined, 'deploy/main', undefined, 'deploy/main', undefined],
  )
})

test('a group in series is locked as a whole, and opened again however its jobs end', () => {
  assert.deepEqual(story('jobs: [{ship: {serial-group: k}}, {d: {type: approval, requires: [ship]}}]'), [
    'main: ship-start+, b(ship-start), c(b), ship-end.(b c), ship-unlock-(b=success/failed/canceled/unauthorized/not_run c=success/failed/canceled/unauthorized/not_run), d?(ship-end)',
  ])
})

test('the filters of a group hold for its jobs', () => {
  assert.deepEqual(story('jobs: [a, {ship: {filters: {branches: {only: other}}}}]'), ['main: a'])
})

test('a job without work is only a place in the graph', () => {
  const source =
    'version: 2.1\njobs: {n: {type: no-op}}\nworkflows: {main: {jobs: [n, {h: {type: approval, requires: [n]}}]}}'
  assert.deepEqual(storyOf(planOf(source)), ['main: n., h?(n)'])
})

const mistakes: readonly (readonly [workflow: string, message: string, rest?: string])[] = [
  ['jobs: [ship, {a: {requires: [b]}}]', "Job 'a' requires 'b', which is the name of 0 other jobs in workflow 'main'"],
  ['jobs: [ship, ship]', 'Cannot use job group ship twice without names'],
  ['jobs: [{ship: {context: x}}]', 'extraneous key [context] is not permitted'],
  ['jobs: [ship]', 'Cannot put job group ship into another', 'job-groups: {ship: {jobs: [ship]}}'],
  [
    'jobs: [ship]',
    'Cannot use [serial-group] inside of a job group',
    'job-groups: {ship: {jobs: [b: {serial-group: x}]}}',
  ],
  ['jobs: [a]', 'Cannot use the name a for both a job and a job group', 'job-groups: {a: {jobs: [b]}}'],
  [
    'jobs: [{a: {serial-group: "a b"}}]',
    'Cannot use serial-group "a b" as it must have 1 to 512 of the characters A-Z a-z 0-9 . _ / -',
  ],
  [
    'jobs: [ship]',
    "Job 'b' requires 'a', which is the name of 0 other jobs in workflow 'main'",
    'job-groups: {ship: {jobs: [b: {requires: [a]}]}}',
  ],
]

for (const [workflow, message, rest] of mistakes) {
  test(`${workflow} is refused${rest === undefined ? '' : ` with ${rest}`}`, () => {
    assert.ok(messagesOf(withWorkflow(['a', 'b', 'c'], workflow, rest ?? group)).includes(message))
  })
}
