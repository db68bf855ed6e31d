import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOrbs, withOriginal } from './annotate.ts'
import { compile } from './compile.ts'
import { withSteps } from './scenario.ts'

test('a compiled configuration tells its orbs and its source, and compiles again to the same', () => {
  const source = withSteps('- run: echo "a\\b"\n- t/say', 'orbs: {t: acme/t@1}')
  const orbs = () => ({ text: 'commands: {say: {steps: [{run: hi}]}}', resolved: 'acme/t@1.4.2' })
  const input = { parameters: {}, values: {} }
  const first = compile(source, { ...input, orbs })
  assert.ok(first.ok)
  const shown = withOriginal(withOrbs(first.text, first.orbs), source)
  assert.ok(shown.startsWith("# Orb 'acme/t@1' resolved to 'acme/t@1.4.2'\nversion: 2\n"))
  assert.ok(shown.includes('\n\n# Original config.yml file:\n# version: 2.1\n'))
  assert.ok(shown.includes('#       - run: echo \\"a\\\\b\\"\n'))
  const again = compile(shown, input)
  assert.deepEqual(again.ok && [again.text, again.plan.workflows], [first.text, first.plan.workflows])
})

test('no line of a source escapes its comment', () => {
  const shown = withOriginal('version: 2\n', 'a\r\nb\rc\u2028d\u0000\n\n')
  assert.equal(shown, 'version: 2\n\n# Original config.yml file:\n# a\n# b\n# c\n# d\ufffd\n')
})
