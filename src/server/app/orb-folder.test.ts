import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { git, workingCopy } from '#server/vcs/lab.ts'
import { givenProject } from '#test/given.ts'
import { smallWorld } from '#test/world.ts'
import { pipelineCompiler } from './compile-pipeline.ts'
import { orbSources } from './orb-sources.ts'
import { orbFolder, publishOrb } from './orb-folder.ts'
import { receivePush } from './pushes.ts'
import { repositoryOf } from './repositories.ts'

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-orbs-'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

test('what was published is found under its version, and never changes', () => {
  using it = newFolder()
  const shelf = orbFolder(it.folder)
  assert.deepEqual(shelf.versionsOf('acme/tool'), [])
  assert.deepEqual(
    ['1.0.0', '1.0.0', 'dev:mine', 'dev:mine'].map((version, i) =>
      publishOrb(it.folder, 'acme/tool', version, `text ${i}`),
    ),
    [true, false, true, true],
  )
  writeFileSync(join(it.folder, 'acme/tool/readme.md'), 'no version')
  assert.deepEqual(shelf.versionsOf('acme/tool').toSorted(), ['1.0.0', 'dev:mine'])
  assert.deepEqual(
    ['1.0.0', 'dev:mine', '2.0.0'].map((version) => shelf.textOf('acme/tool', version)),
    ['text 0', 'text 3', undefined],
  )
  assert.deepEqual(readdirSync(join(it.folder, 'acme/tool')).toSorted(), ['1.0.0.yml', 'dev:mine.yml', 'readme.md'])
})

test('a pipeline uses what the folder holds at its time', async () => {
  using orbs = newFolder()
  await using it = await smallWorld('sqlite')
  const project = await givenProject(it)
  const copy = join(it.folder, 'copy')
  await mkdir(join(copy, '.circleci'), { recursive: true })
  const config = 'version: 2.1\norbs: {t: acme/t@1}\njobs: {build: {machine: true, steps: [t/say]}}\n'
  writeFileSync(join(copy, '.circleci/config.yml'), config)
  await workingCopy(copy)
  await git(copy, 'push', '--quiet', repositoryOf(it.world, project), 'main')
  const [pipeline] = await receivePush(it.world, it.app.findRevision, project, null)
  assert.ok(pipeline)
  const { compile } = pipelineCompiler({ ...it.world, orbs: orbSources(orbFolder(orbs.folder)) }, it.app.findRevision)
  const told = async () => {
    const compiled = await compile(project, pipeline)
    return compiled.ok ? /^# .*/.exec(compiled.text)?.[0] : compiled.errors[0]?.message
  }
  assert.match(
    String(await told()),
    /Cannot find acme\/t@1 in the orb registry\..*roundhouse orb publish <file> acme\/t@1\.0\.0/,
  )
  for (const version of ['1.0.0', '1.3.0']) {
    publishOrb(orbs.folder, 'acme/t', version, 'commands: {say: {steps: [{run: hi}]}}')
    assert.equal(await told(), `# Orb 'acme/t@1' resolved to 'acme/t@${version}'`)
  }
})
