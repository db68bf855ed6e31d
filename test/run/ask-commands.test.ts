import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { approve, cancel, rerun, triggerProject } from '#cli/ask/act.ts'
import { findJob, findProject, findWorkflow } from '#cli/ask/find.ts'
import { tellProjects, tellStatus } from '#cli/ask/look.ts'
import { printJob } from '#cli/ask/read.ts'
import { Unclear } from '#cli/ask/told.ts'
import { isOver, readPipeline } from '#cli/pipeline-view.ts'
import { serverAt } from '#cli/server.ts'
import { getJob } from '#contract/v2/job.ts'
import { openService } from '#test/api/service.ts'
import { program } from '#test/program.ts'

const config = `version: 2.1
parameters: {level: {type: integer, default: 1}}
jobs:
  build:
    machine: true
    steps: [{run: {name: work, command: 'echo level << pipeline.parameters.level >>; mkdir out; echo kept > out/file'}}, {store_artifacts: {path: out, destination: out}}]
  ship: {machine: true, steps: [{run: 'exit 1'}]}
workflows:
  main: {jobs: [build, hold: {type: approval, requires: [build]}, ship: {requires: [hold]}]}
`
const about = { project: 'acme/web' }

async function roundhouse(environment: Readonly<Record<string, string>>, cwd: string, ...args: readonly string[]) {
  const plain = Object.entries(process.env).filter(([name]) => !/^(ROUNDHOUSE_|GIT_)/.test(name))
  const env = { ...Object.fromEntries(plain), ...environment }
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number]
  return { status, ...said }
}

test('a pipeline is triggered, looked at, approved, read and run again from the command line', async () => {
  await using service = await openService({ agentSlots: 2 })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'roundhouse-ask-'))
  const server = serverAt(service.base, service.admin.token)
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], service.admin.token, 'Begin [skip ci]')
  const made = await triggerProject(server, { ...about, branch: 'main' }, ['level=3'], false)
  assert.match(made.text, /^Pipeline #1 {2}\S+$/)
  const { id } = made.data as { readonly id: string }
  const jobs = async () => (await readPipeline(server, id)).workflows.flatMap((workflow) => workflow.jobs)
  const status = async (name: string) => (await jobs()).find((job) => job.name === name)?.status
  await service.until(async () => ((await status('hold')) === 'on_hold' ? true : undefined))
  assert.match(
    (await tellStatus(server, about, undefined, 1)).text,
    /: created\n\nWorkflow main: on_hold [^]*hold +on_hold[^]*\n {2}hold: Waits for [^]*approv/,
  )
  assert.match((await tellProjects(server)).text, /\nacme\/web +#1 +on_hold +main +provider-a\/acme\/web$/)
  const job = await findJob(server, about, 'build')
  assert.equal(await findJob(server, about, '2'), job)
  // The push that was not to be built has the number before.
  const skipped = { provider: 'provider-a', org: 'acme', repo: 'web', job_number: 1 }
  assert.equal((await server.v2(getJob, { params: skipped })).status, 'not_run')
  const printed: Uint8Array[] = []
  await printJob(server, job, true, async (bytes) => void printed.push(bytes))
  assert.match(Buffer.concat(printed).toString(), /==== work\nlevel 3\n/)

  // As a person would: the token by the environment, the address by a flag.
  const environment = { ROUNDHOUSE_TOKEN: service.admin.token }
  const asked = ['artifacts', 'build', '--project', 'web', '--server', service.base, '--to', 'kept', '--json']
  const { status: code, stdout, stderr } = await roundhouse(environment, folder.path, ...asked)
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    (JSON.parse(stdout) as readonly { readonly path: string }[]).map(({ path }) => path),
    ['out/file'],
  )
  assert.equal(await readFile(join(folder.path, 'kept/artifacts/out/file'), 'utf8'), 'kept\n')

  assert.equal((await approve(server, about, 'main', undefined)).text, 'Approved hold')
  await service.until(async () => (isOver(await readPipeline(server, id)) ? true : undefined))
  assert.match((await rerun(server, about, 'main', { fromFailed: true, ssh: false, jobs: [] })).text, /^Workflow \S+$/)
  await assert.rejects(
    approve(server, about, 'main', 'hold'),
    /Cannot approve job hold in workflow \S+ as nothing of it waits/,
  )
})

test('what is meant by nothing, or by several things, is told', async () => {
  await using service = await openService()
  const server = serverAt(service.base, service.admin.token)
  const two = config.replace('workflows:', 'workflows:\n  other: {jobs: [build]}')
  for (const repository of ['acme/web', 'other/web'])
    await service.push(repository, { '.service/config.yml': two }, ['main'])
  await service.until(async () => {
    const { text } = await tellStatus(server, about, undefined, 1)
    return text.includes('Workflow other') ? true : undefined
  })
  for (const [asked, told] of [
    [() => findProject(server, { project: undefined }), /^Cannot tell which project is meant: say --project/],
    [
      () => findProject(server, { project: 'web' }),
      /^Cannot tell which project web is meant: provider-a\/\S+ or provider-a\/\S+$/,
    ],
    [
      () => findProject(server, { project: 'acme/wbe' }),
      /^Cannot find project acme\/wbe\. Did you mean \[acme\/web\]\?$/,
    ],
    [
      () => findWorkflow(server, about, undefined),
      /^Cannot tell which workflow is meant: (main or other|other or main)$/,
    ],
    [() => findWorkflow(server, about, 'mian'), /^Cannot find workflow mian in pipeline 1\. Did you mean \[main\]\?$/],
    [() => findJob(server, about, 'biuld'), /^Cannot find job biuld in pipeline 1\. Did you mean \[build\]\?$/],
    [
      () => triggerProject(server, about, ['level'], false),
      /^Cannot read the parameter level as it must be name=value$/,
    ],
  ] as const)
    await assert.rejects(asked(), (error) => error instanceof Unclear && told.test(error.message))
  assert.match((await cancel(server, about, 'main', undefined)).text, /^Canceling workflow /)
})

test('a server that refuses or is not there ends with 1, and nothing that is secret is said', async () => {
  await using service = await openService()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'roundhouse-ask-'))
  const environment = { ROUNDHOUSE_SERVER: service.base, ROUNDHOUSE_TOKEN: 'not-a-token-of-anybody' }
  const refused = await roundhouse(environment, folder.path, 'projects')
  assert.deepEqual([refused.status, refused.stdout], [1, ''])
  assert.match(refused.stderr, /^Cannot GET \/projects as the service answered 401/)
  assert.ok(!refused.stderr.includes('not-a-token'))
  const none = await roundhouse({ ROUNDHOUSE_SERVER: service.base }, folder.path, 'projects')
  assert.equal(none.status, 2)
  assert.match(none.stderr, /^Cannot read a token from data\/admin-token: set ROUNDHOUSE_TOKEN or give --token-file/)
})
