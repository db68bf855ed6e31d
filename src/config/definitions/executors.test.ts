import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, messagesOf, planOf } from '#config/scenario.ts'

const executors = [
  'executors:',
  '  node:',
  '    parameters: {tag: {type: string, default: lts}}',
  '    docker: [{image: "node:<< parameters.tag >>"}]',
  '    working_directory: ~/app',
  '    environment: {A: executor, B: executor}',
  '  box: {machine: true, resource_class: large}',
].join('\n')

const withJob = (keys: string, rest = executors) =>
  `version: 2.1\n${rest}\njobs:\n  build: {steps: [checkout], ${keys}}\n`

test('a job takes over its executor, its own keys winning and environments adding up', () => {
  const body = bodyOf(planOf(withJob('executor: node, working_directory: ~/mine, environment: {B: job, C: job}')))
  assert.deepEqual(body.executor, { type: 'docker', images: [{ image: 'node:lts', environment: [] }] })
  assert.equal(body.workingDirectory, '~/mine')
  assert.deepEqual(body.environment, [
    ['A', 'executor'],
    ['B', 'job'],
    ['C', 'job'],
  ])
})

test('an executor takes arguments', () => {
  const body = bodyOf(planOf(withJob('executor: {name: node, tag: "22"}')))
  assert.deepEqual(body.executor, { type: 'docker', images: [{ image: 'node:22', environment: [] }] })
})

test('the place a job names itself replaces the one of its executor', () => {
  const body = bodyOf(planOf(withJob('executor: node, machine: true')))
  assert.deepEqual([body.executor.type, body.workingDirectory], ['machine', '~/app'])
})

test('an executor may come as an argument, by name or with arguments of its own', () => {
  const source = [
    'version: 2.1',
    executors,
    'jobs:',
    '  on:',
    '    parameters: {where: {type: executor}}',
    '    executor: << parameters.where >>',
    '    steps: [checkout]',
    'workflows: {w: {jobs: [on: {name: a, where: box}, on: {name: b, where: {name: node, tag: "1"}}]}}',
  ].join('\n')
  const plan = planOf(source)
  assert.deepEqual(
    ['a', 'b'].map((job) => bodyOf(plan, job).executor),
    [
      { type: 'machine', dockerLayerCaching: false },
      { type: 'docker', images: [{ image: 'node:1', environment: [] }] },
    ],
  )
})

test('what is wrong with an executor is told once, and nothing is said about what follows from it', () => {
  assert.deepEqual(messagesOf(withJob('executor: nod')), [
    'Cannot find a definition for executor named nod. Did you mean [node]?',
  ])
  assert.deepEqual(messagesOf(withJob('executor: {name: node, tog: "1"}')), [
    'Unexpected argument(s): tog. Did you mean [tag]?',
  ])
  assert.deepEqual(messagesOf(withJob('executor: [node]')), ['[executor] expected type: String, found: Sequence'])
  assert.ok(
    messagesOf(withJob('executor: cloud', 'executors: {cloud: {gcloud: {}}}')).includes(
      '"gcloud" is not a supported executor type. The supported executor types are "macos", "machine", "docker"',
    ),
  )
})
