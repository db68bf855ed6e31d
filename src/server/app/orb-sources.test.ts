import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile } from '#config/compile.ts'
import { commit, git, temporaryFolder } from '#server/vcs/lab.ts'
import { orbAddresses } from './orb-addresses.ts'
import { orbRepository } from './orb-repository.ts'
import { noOrbs, type OrbSources, orbSources, withSources } from './orb-sources.ts'

const orb = (says: string) => `version: 2.1\ncommands: {say: {steps: [{run: echo ${says}}]}}\n`
const using = (reference: string) =>
  `version: 2.1\norbs: {t: "${reference}"}\njobs: {build: {machine: true, steps: [t/say]}}\n`
const warn = () => {}
const shelf = { versionsOf: () => [], textOf: () => undefined }

/** What the job of a configuration with this orb says, or what is wrong. */
async function said(sources: OrbSources, reference: string): Promise<string> {
  const { result } = await withSources(sources, (orbs) =>
    compile(using(reference), { parameters: {}, values: {}, orbs }),
  )
  return result.ok ? (/echo (\w+)/.exec(result.text)?.[1] ?? '') : (result.problems[0]?.message ?? '')
}

/** A host of orbs on loopback; counts what it is asked for. */
async function host(answers: Readonly<Record<string, { readonly status?: number; readonly text: string }>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status = 200, text = '' } = answers[request.url ?? ''] ?? { status: 404 }
    response.writeHead(status, status === 302 ? { location: text } : {}).end(text)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, name, [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())) }
}

test('an orb at an allowed address is fetched, with those it imports, and kept for five minutes', async () => {
  const texts: Record<string, { text: string }> = {
    '/orbs/t.yml': { text: '' },
    '/orbs/inner.yml': { text: orb('inner') },
  }
  await using it = await host(texts)
  const base = `http://${it.name}/orbs/`
  texts['/orbs/t.yml'] = {
    text: `version: 2.1\norbs: {i: "${base}inner.yml"}\ncommands: {say: {steps: [i/say]}}\n`,
  }
  let now = 0
  const terms = { prefixes: [base], hosts: [it.name], warn, now: () => now }
  const sources = orbSources(shelf, orbAddresses(terms))
  assert.equal(await said(sources, `${base}t.yml`), 'inner')
  assert.equal(await said(sources, `${base}t.yml`), 'inner')
  assert.deepEqual(it.asked, ['/orbs/t.yml', '/orbs/inner.yml'])
  now = 300_000
  texts['/orbs/inner.yml'] = { text: orb('newer') }
  assert.equal(await said(sources, `${base}t.yml`), 'newer')
})

test('an address is refused that is not allowed, leads inside, leads elsewhere, or gives too much', async () => {
  await using it = await host({
    '/orbs/moved.yml': { status: 302, text: '/orbs/t.yml' },
    '/orbs/t.yml': { text: orb('hello') },
    '/secret.yml': { text: orb('secret') },
    '/orbs/large.yml': { text: 'x'.repeat(5_000_001) },
  })
  const base = `http://${it.name}/orbs/`
  const terms = { prefixes: [base], hosts: [it.name], warn, now: () => 0 }
  const sources = orbSources(shelf, orbAddresses(terms))
  assert.match(await said(sources, `${base}moved.yml`), /it answered 302/)
  assert.match(await said(sources, `${base}large.yml`), /more than 5000000 bytes/)
  assert.match(await said(sources, `${base}gone.yml`), /it answered 404/)
  for (const address of [`http://${it.name}/secret.yml`, `${base}../secret.yml`, `${base}%2e%2e/secret.yml`])
    assert.match(await said(sources, address), /not among those that the setting orb-urls allows/)
  const guarded = orbSources(shelf, orbAddresses({ ...terms, hosts: [], prefixes: [base, 'https://127.0.0.1/'] }))
  assert.match(await said(guarded, `${base}t.yml`), /must begin with https/)
  assert.match(await said(guarded, 'https://127.0.0.1/t.yml'), /outside of our network/)
  assert.match(
    await said(noOrbs, `${base}t.yml`),
    /nothing is fetched from addresses here.*compile-config-with-defaults/,
  )
  assert.ok(!it.asked.includes('/secret.yml'))
})

test('a git repository is a registry that is looked at once a minute, and when something is missing', async () => {
  await using folder = await temporaryFolder()
  const work = join(folder.path, 'work')
  const put = async (version: string) => {
    mkdirSync(join(work, 'acme/t'), { recursive: true })
    writeFileSync(join(work, 'acme/t', `${version}.yml`), orb(`v${version.replaceAll('.', '_')}`))
    await git(work, 'add', '.')
    await commit(work, version)
  }
  mkdirSync(work)
  await git(work, 'init', '--quiet', '--initial-branch=main')
  await put('1.0.0')
  let now = 0
  const path = join(folder.path, 'mirror.git')
  const terms = { path, url: work, access: { allowFile: true }, warn, now: () => now }
  const sources = orbSources(orbRepository(terms))
  assert.equal(await said(sources, 'acme/t@1'), 'v1_0_0')
  await put('1.1.0')
  now = 30_000
  assert.equal(await said(sources, 'acme/t@1'), 'v1_0_0')
  assert.equal(await said(sources, 'acme/t@1.1.0'), 'v1_1_0')
  await put('1.2.0')
  now = 120_000
  assert.equal(await said(sources, 'acme/t@1'), 'v1_2_0')
  assert.match(await said(sources, 'acme/none@1'), /Cannot find acme\/none@1 in the orb registry/)
})
