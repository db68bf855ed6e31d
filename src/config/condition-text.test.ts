import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionHolds, conditionProblem } from './condition-text.ts'

test('a condition is about the values and parameters of one pipeline', () => {
  const values = { 'git.branch': 'main', number: 7 }
  assert.equal(conditionHolds('pipeline.git.branch == "main"', values, {}), true)
  assert.equal(conditionHolds('pipeline.git.branch == "main" and pipeline.number > 7', values, {}), false)
  assert.equal(conditionHolds('pipeline.parameters.deploy == true', values, { deploy: true }), true)
})

test('a condition that cannot be evaluated does not hold', () => {
  assert.equal(conditionHolds('pipeline.none == 1', {}, {}), false)
  assert.equal(conditionHolds('((', {}, {}), false)
  assert.match(conditionProblem('pipeline.number ==') ?? '', /\S/)
  assert.equal(conditionProblem('pipeline.number == 1'), undefined)
})
