import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, commandsOf, messagesOf, planOf, storyOf, withSteps } from '#config/scenario.ts'

const toolOrb = [
  'commands:',
  '  say: {parameters: {t: {type: string, default: hi}}, steps: [{run: echo << parameters.t >>}]}',
  '  checkout: {steps: [{run: own checkout}]}',
  '  all: {steps: [checkout, say]}',
  'executors:',
  '  default: {docker: [{image: tool}]}',
  'jobs:',
  '  check:',
  '    parameters: {e: {type: executor, default: default}, after: {type: steps, default: []}}',
  '    executor: << parameters.e >>',
  '    steps: [all, {steps: << parameters.after >>}]',
].join('\n')

const registry = (reference: string) =>
  reference === 'acme/tool@1.2' ? { text: toolOrb, resolved: 'acme/tool@1.2.3' } : undefined
const given = { orbs: registry }

test('an orb brings commands and jobs, and sees its own names first', () => {
  const source = [
    'version: 2.1',
    'orbs: {tool: acme/tool@1.2}',
    'executors: {default: {machine: true}}',
    'commands: {say: {steps: [{run: mine}]}}',
    'jobs:',
    '  build: {executor: default, steps: [tool/all, say, tool/say: {t: there}, checkout]}',
    'workflows: {w: {jobs: [build, tool/check: {after: [say, checkout]}, tool/check: {name: here, e: default}]}}',
  ].join('\n')
  const plan = planOf(source, given)
  assert.deepEqual(storyOf(plan), ['w: build, tool/check, here'])
  assert.deepEqual(commandsOf(plan), ['own checkout', 'echo hi', 'mine', 'echo there', 'checkout'])
  assert.deepEqual(commandsOf(plan, 'tool/check'), ['own checkout', 'echo hi', 'mine', 'checkout'])
  assert.deepEqual(
    ['tool/check', 'here'].map((job) => bodyOf(plan, job).executor.type),
    ['docker', 'machine'],
  )
})

test('an inline orb may use what was imported beside it, and give names to what others define', () => {
  const rest = [
    'orbs:',
    '  tool: acme/tool@1.2',
    '  mine:',
    '    orbs: {other: acme/tool@1.2}',
    '    commands: {talk: other/say, both: {steps: [talk, tool/say: {t: x}]}}',
  ].join('\n')
  assert.deepEqual(commandsOf(planOf(withSteps('- mine/both\n- mine/talk', rest), given)), [
    'echo hi',
    'echo x',
    'echo hi',
  ])
})

test('an inline orb may say more about itself, but not misspell what it has', () => {
  const rest = (key: string) => `orbs: {o: {name: o, x-notes: a, ${key}: {c: {steps: [{run: c}]}}}}`
  assert.deepEqual(commandsOf(planOf(withSteps('- o/c', rest('commands')))), ['c'])
  assert.ok(messagesOf(withSteps('- o/c', rest('comands')))[0]?.startsWith('extraneous key [comands] is not permitted'))
})

test('the version of an orb may be a parameter of the pipeline', () => {
  const rest = 'parameters: {v: {type: string, default: "1.2"}}\norbs: {tool: acme/tool@<< pipeline.parameters.v >>}'
  assert.deepEqual(commandsOf(planOf(withSteps('- tool/say', rest), given)), ['echo hi'])
})

test('an orb does not know the parameters of a pipeline, though it knows its values', () => {
  const orb = (text: string) =>
    `parameters: {p: {type: string, default: a}}\norbs: {o: {commands: {c: {steps: [{run: ${text}}]}}}}`
  assert.deepEqual(commandsOf(planOf(withSteps('- o/c', orb('<< pipeline.git.branch >>')))), ['main'])
  assert.deepEqual(messagesOf(withSteps('- o/c', orb('<< pipeline.parameters.p >>'))), [
    'Referred to a variable "pipeline.parameters.p" that does not exist',
  ])
})

test('an orb that cannot be had is told once, and what uses it is not', () => {
  const source = [
    'version: 2.1',
    'orbs: {gone: acme/gone@1}',
    'jobs: {build: {executor: gone/default, steps: [gone/setup, checkout]}}',
    'workflows: {w: {jobs: [build, gone/job, {after: {type: approval, requires: [gone/job]}}]}}',
  ].join('\n')
  assert.deepEqual(messagesOf(source), [
    'Cannot find acme/gone@1 in the orb registry. Check that the namespace, orb name and version are correct.',
  ])
})

test('what an orb does not have is told with the nearest it has', () => {
  assert.deepEqual(messagesOf(withSteps('- tool/sya\n- tol/say', 'orbs: {tool: acme/tool@1.2}'), given), [
    'Cannot find a definition for command named tool/sya. Did you mean [tool/say]?',
    'Cannot find a definition for command named tol/say: there is no orb named tol. Did you mean [tool]?',
  ])
})

test('an orb that cannot be read is a problem of its reference', () => {
  const found = messagesOf(withSteps('- bad/x', 'orbs: {bad: acme/bad@1}'), {
    orbs: () => ({ text: 'a: [', resolved: 'acme/bad@1.0.0' }),
  })
  assert.equal(found.length, 1)
  assert.match(found[0]!, /^Error loading acme\/bad@1: /)
})
