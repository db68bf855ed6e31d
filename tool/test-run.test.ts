import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const head = `import assert from 'node:assert/strict'; import { test } from 'node:test';`

/** Runs test files, all in one process, as the suite does, and tells what was said. */
async function outcomeOf(files: Readonly<Record<string, string>>, limitMs = 120_000) {
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-runs-'))
  try {
    await mkdir(join(folder, 'run'))
    for (const [name, tests] of Object.entries(files)) await writeFile(join(folder, name), head + tests)
    const groups = [{ name: 'all of them', files: Object.keys(files) }]
    const options = JSON.stringify({ root: folder, folder: join(folder, 'run'), groups, limitMs })
    const source = `import { runGroups } from ${JSON.stringify(import.meta.resolve('./test-run.ts'))}
      const passed = await runGroups({ ...${options}, signal: new AbortController().signal, notes: () => [] })
      console.log(passed ? 'PASSED' : 'FAILED')`
    // Else node:test takes it for a part of this run, and skips it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    // A file, as node:test would pass a program given on the command line on to the processes of the tests.
    const program = join(folder, 'run', 'program.mjs')
    await writeFile(program, source)
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    return await text(child.stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('files that share a process are counted one by one, and timed one by one', async () => {
  const said = await outcomeOf({
    'a.test.mjs': `test('one', () => {}); test('two', (t) => t.test('inner', () => {}))`,
    'b.test.mjs': `test('one', () => {})`,
  })
  assert.match(said, /^ℹ tests 4\n/m)
  assert.match(said, /^ℹ fail 0\n/m)
  assert.match(said, / s {2}a\.test\.mjs\n/)
  assert.match(said, / s {2}b\.test\.mjs\n/)
  assert.match(said, /PASSED/)
})

test('processes are told with the processor time that they and what they started took', async () => {
  const work = `for (let taken = 0, n = 0; taken < 4e5; n = 0, { user: taken } = process.cpuUsage()) while (n < 1e6) n++`
  const said = await outcomeOf({
    'a.test.mjs': `import { spawnSync } from 'node:child_process'
      test('lets work', () => void spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}]))`,
  })
  const [, all, one] = /^most processor time \(of (\d+) s\):\n +(\d+\.\d) s {2}all of them\n/m.exec(said) ?? []
  assert.ok(Number(one) >= (process.platform === 'linux' ? 0.4 : 0), said)
  assert.ok(Math.abs(Number(all) - Number(one)) <= 0.5, said)
  assert.match(said, /PASSED/)
})

test('a test that fails is told with its file, and the others are run', async () => {
  const said = await outcomeOf({
    'a.test.mjs': `test('bad', () => assert.fail('no'))`,
    'b.test.mjs': `test('good', () => {})`,
  })
  assert.match(said, /test at .*a\.test\.mjs:1:/)
  assert.match(said, /^ℹ pass 1\n/m)
  assert.match(said, /FAILED/)
})

test('a file that cannot be loaded is a failure that names it', async () => {
  const said = await outcomeOf({ 'a.test.mjs': `test('good', () => {})`, 'b.test.mjs': `throw new Error('broken')` })
  assert.match(said, /b\.test\.mjs/)
  assert.match(said, /FAILED/)
})

test('a process that ends before its tests do is a failure, even if it calls itself a success', async () => {
  for (const end of [`process.exit(0)`, `process.exit(3)`, `process.kill(process.pid, 'SIGKILL')`]) {
    const said = await outcomeOf({
      'a.test.mjs': `test('ends it', () => { ${end} })`,
      'b.test.mjs': `test('comes later', () => {})`,
    })
    assert.match(said, /not run to its end: a\.test\.mjs: /, end)
    assert.match(said, /not run to its end: b\.test\.mjs: /, end)
    assert.match(said, /FAILED/, end)
  }
})

test('a file without tests is a failure where others share its process', async () => {
  const said = await outcomeOf({ 'a.test.mjs': `test('one', () => {})`, 'b.test.mjs': `` })
  assert.match(said, /not run to its end: b\.test\.mjs: no test\n/)
  assert.match(said, /FAILED/)
})

test('what hangs is stopped, and told with its file', async () => {
  const inTest = await outcomeOf({ 'a.test.mjs': `test('waits', () => new Promise((r) => setTimeout(r, 1e9)))` }, 1_000)
  assert.match(inTest, /a\.test\.mjs/)
  assert.match(inTest, /FAILED/)
  const afterwards = await outcomeOf({ 'a.test.mjs': `test('leaves', () => void setInterval(() => {}, 1000))` }, 3_000)
  assert.match(afterwards, /Tests are not over after 3 seconds: .*Timeout/)
  assert.match(afterwards, /a\.test\.mjs/)
  assert.match(afterwards, /FAILED/)
})
