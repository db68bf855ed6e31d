import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { tempFolder } from '#agent/testing/world.ts'
import { StepFailed } from '#agent/step-failed.ts'
import { failureOfTar, failureWithFiles } from './refused-by-files.ts'
import { shellFiles } from './shell-files.ts'

test('files that are in the way of a folder fail the step, not the agent', async () => {
  using folder = tempFolder()
  writeFileSync(join(folder.path, 'file'), 'x')
  const archive = await buffer(shellFiles.pack(folder.path, ['file']))
  await assert.rejects(shellFiles.unpack(join(folder.path, 'file/below'), Readable.from([archive])), StepFailed)
  assert.throws(() => shellFiles.sink?.(join(folder.path, 'file/below')), StepFailed)
})

test('what the machine says of files decides whose failure it is', () => {
  const withCode = (code: string) => Object.assign(new Error('Cannot'), { code })
  assert.ok(failureWithFiles(withCode('EACCES')) instanceof StepFailed)
  assert.ok(failureWithFiles(new Error('Cannot pack', { cause: withCode('EPERM') })) instanceof StepFailed)
  for (const code of ['ENOSPC', 'EIO', 'EMFILE', 'ECONNRESET']) {
    const error = withCode(code)
    assert.equal(failureWithFiles(error), error)
  }
  assert.ok(failureOfTar('tar ended with 2: tar: x: Cannot open: Permission denied') instanceof StepFailed)
  assert.equal(failureOfTar('tar ended with 137: ') instanceof StepFailed, false)
})
