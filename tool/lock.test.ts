import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const lock = JSON.stringify(import.meta.resolve('./lock.mjs'))

/** Runs a script that has `withLock` at hand, in a process of its own. */
async function run(script: string): Promise<void> {
  const source = `import { appendFileSync } from 'node:fs'
    import { setTimeout as pause } from 'node:timers/promises'
    import { withLock } from ${lock}
    ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'inherit', 'ignore'],
  })
  await once(child, 'exit')
}

test('processes that want the same lock take turns, and one that died holding it is passed over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-lock-'))
  const story = join(folder, 'story')
  try {
    const name = JSON.stringify(folder)
    await run(`await withLock(${name}, () => process.kill(process.pid, 'SIGKILL'))`)
    const turn = `await withLock(${name}, async () => {
      appendFileSync(${JSON.stringify(story)}, 'in ')
      await pause(20)
      appendFileSync(${JSON.stringify(story)}, 'out ')
    })`
    await Promise.all([run(turn), run(turn), run(turn)])
    assert.equal(readFileSync(story, 'utf8'), 'in out '.repeat(3))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
