import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { compileConfig } from '#contract/v2/config.ts'
import { messageOf } from './ask.ts'
import { openService, type Service } from './service.ts'

const source = `version: 2.1
parameters: {word: {type: string, default: hi}}
jobs: {build: {machine: true, steps: [{run: echo << pipeline.parameters.word >> << pipeline.git.branch >>}]}}
`

describe('configurations that are only looked at', () => {
  let service: Service
  before(async () => {
    service = await openService()
  })
  after(() => service[Symbol.asyncDispose]())

  const compile = (config_yaml: string, options?: object) =>
    service.call(compileConfig, { body: { config_yaml, ...(options && { options }) } })

  test('are compiled for the values and parameters given', async () => {
    const answer = await compile(source, {
      owner_id: null,
      pipeline_parameters: { word: 'bye', other: null },
      pipeline_values: { 'git.branch': 'side', 'pipeline.number': 3, 'git.tag': null },
    })
    assert.equal(answer.valid, true)
    assert.equal(answer['source-yaml'], source)
    assert.match(answer['output-yaml'], /^version: 2\n[^]*command: echo bye side\n[^]*# Original config.yml file:\n/)
  })

  test('are told what is wrong with them, with the places', async () => {
    const { valid, errors, 'output-yaml': output } = await compile(source.replace('steps', 'stps'))
    assert.deepEqual([valid, output], [false, ''])
    assert.match(errors[0]?.message ?? '', /^line 3, column \d+: .*steps/)
  })

  test('fetch nothing: an orb that is not here is told as missing', async () => {
    const { errors } = await compile(`${source}orbs: {node: circleci/node@5}\n`)
    assert.match(errors[0]?.message ?? '', /Cannot find circleci\/node@5 in the orb registry.*roundhouse orb publish/)
  })

  test('need plain parameters, and somebody who asks', async () => {
    const ask = (token: string | undefined, parameter: unknown) =>
      service.ask({
        method: 'POST',
        path: '/api/v2/compile-config-with-defaults',
        ...(token !== undefined && { token }),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ config_yaml: source, options: { pipeline_parameters: { word: parameter } } }),
      })
    const wrong = await ask(service.admin.token, ['a'])
    assert.deepEqual(
      [wrong.status, messageOf(wrong)],
      [400, 'Cannot use word as it must be a text, a number or a boolean'],
    )
    assert.equal((await ask(undefined, 'x')).status, 401)
  })
})
