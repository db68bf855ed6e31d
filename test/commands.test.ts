import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { program } from './program.ts'

/** A folder with these files, in which commands are run as a person would. */
function folderWith(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-commands-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return {
    folder,
    run(...args: readonly string[]) {
      const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('ROUNDHOUSE_'))
      const options = { cwd: folder, encoding: 'utf8', env: Object.fromEntries(environment), timeout: 120_000 } as const
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
      return { status, stdout, stderr }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const source = `version: 2.1
parameters: {word: {type: string, default: hi}}
orbs: {tool: acme/tool@1}
jobs: {build: {machine: true, steps: [tool/say: {word: << pipeline.parameters.word >>}]}}
`
const command = 'parameters: {word: {type: string}}\nsteps: [{run: <<include(scripts/say.sh)>>}]\n'
const orb = { 'src/@orb.yml': 'version: 2.1\n', 'src/commands/say.yml': command, 'src/scripts/say.sh': 'say "$1"\n' }

test('an orb is packed, published once, and used by the commands about configurations', () => {
  using it = folderWith({ ...orb, '.circleci/config.yml': source, 'parameters.yml': 'word: bye' })
  const missing = it.run('config', 'validate')
  assert.equal(missing.status, 1)
  assert.match(missing.stderr, /^\.circleci\/config\.yml:3:14: Cannot find acme\/tool@1 in the orb registry\./)
  const packed = it.run('orb', 'pack', 'src')
  assert.equal(packed.status, 0, packed.stderr)
  writeFileSync(join(it.folder, 'tool.yml'), packed.stdout)
  assert.equal(
    it.run('orb', 'publish', 'tool.yml', 'acme/tool@1.0.0').stdout,
    'Published acme/tool@1.0.0 in data/orbs\n',
  )
  assert.equal(readFileSync(join(it.folder, 'data/orbs/acme/tool/1.0.0.yml'), 'utf8'), packed.stdout)
  const again = it.run('orb', 'publish', 'tool.yml', 'acme/tool@1.0.0')
  assert.deepEqual(
    [again.status, again.stderr],
    [1, 'Cannot publish acme/tool@1.0.0: that version is published already\n'],
  )
  assert.deepEqual(it.run('config', 'validate'), { status: 0, stdout: '.circleci/config.yml is valid.\n', stderr: '' })
  const { stdout } = it.run('config', 'process', '--pipeline-parameters', '@parameters.yml')
  assert.match(stdout, /^# Orb 'acme\/tool@1' resolved to 'acme\/tool@1\.0\.0'\nversion: 2\n/)
})

test('what cannot be used is told, and ends with 1', () => {
  using it = folderWith({
    'wrong.yml': 'version: 2.1\njobs: {build: {machine: true, steps: [chekout]}}\n',
    'list.yml': '[]',
  })
  for (const [args, told] of [
    [['config', 'validate'], /^Cannot find a configuration here: looked for \.service\/config\.yml/],
    [['config', 'explain', 'none.yml'], /^Cannot read none\.yml/],
    [['config', 'process', 'wrong.yml'], /^wrong\.yml:2:\d+: .*chekout.*\n/],
    [['config', 'validate', 'wrong.yml', '--pipeline-parameters', '[1]'], /^Cannot read the pipeline parameters/],
    [['orb', 'pack', 'none'], /^Cannot pack none as it must be a folder/],
    [['orb', 'publish', 'wrong.yml', 'acme/tool@1'], /^Cannot publish acme\/tool@1 as it must be/],
    [['orb', 'publish', 'wrong.yml', '../../x@1.0.0'], /^Cannot publish/],
    [['orb', 'publish', 'list.yml', 'acme/tool@1.0.0'], /^Error loading acme\/tool@1\.0\.0/],
  ] as const) {
    const { status, stderr } = it.run(...args)
    assert.match(stderr, told)
    assert.equal(status, 1)
  }
})
