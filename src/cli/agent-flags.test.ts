import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAgentOptions } from './agent-flags.ts'

test('the options of the built-in agent are the flags of any agent', () => {
  const line = "--engine unix:///run/d.sock --limits 'small=0.5/512M, acme/big=4/8G' --no-network"
  assert.deepEqual(readAgentOptions(line), [
    '--engine',
    'unix:///run/d.sock',
    '--limits',
    'small=0.5/512M, acme/big=4/8G',
    '--no-network',
  ])
})

test('an option that is unknown, has no value or one that it cannot have is named', () => {
  const wrong = {
    '--engin none': /there is no --engin/,
    '--engine docker.sock': /--engine: it must be auto, none/,
    '--pull': /--pull needs a value/,
    'pull always': /pull is not a flag/,
    '--limits small=0/1G': /--limits: Cannot read the limits small=0\/1G/,
    '--repository-hosts https://x': /--repository-hosts: https:\/\/x is no host/,
    '--mirrors 10': /--mirrors: it must be a size/,
    '--limits small=2': /--limits: Cannot read the limits small=2/,
  }
  for (const [line, reason] of Object.entries(wrong)) assert.throws(() => readAgentOptions(line), reason)
})
