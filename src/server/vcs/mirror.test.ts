import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkGitUrl } from './git-url.ts'
import { commit, git, gitHost, temporaryFolder, workingCopy } from './lab.ts'
import { fetchMirror } from './mirror.ts'
import { refsOf } from './refs.ts'
import { sshCommand } from './ssh-command.ts'

const { signal } = new AbortController()

/** A repository that lives elsewhere, with a working copy of its own. */
async function lab() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const work = join(folder.path, 'work')
  await mkdir(work)
  const first = await workingCopy(work)
  return {
    folder: folder.path,
    work,
    first,
    mirror: join(folder.path, 'mirror.git'),
    stack,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('a mirror', () => {
  test('has every branch and tag, follows what is forced or gone, and takes over the default branch', async () => {
    await using it = await lab()
    await git(it.work, 'branch', '--move', 'main', 'trunk')
    await git(it.work, 'branch', 'old')
    await git(it.work, 'tag', 'v1')
    await fetchMirror(it.mirror, it.work, { allowFile: true }, signal)
    const { head, refs } = await refsOf(it.mirror)
    assert.deepEqual([head, [...refs.keys()]], ['trunk', ['refs/heads/old', 'refs/heads/trunk', 'refs/tags/v1']])
    await git(it.work, 'branch', '--delete', '--force', 'old')
    await git(it.work, 'commit', '--quiet', '--amend', '--allow-empty', '-m', 'other')
    await fetchMirror(it.mirror, it.work, { allowFile: true }, signal)
    const now = await git(it.work, 'rev-parse', 'HEAD')
    assert.deepEqual(
      [...(await refsOf(it.mirror)).refs],
      [
        ['refs/heads/trunk', now],
        ['refs/tags/v1', it.first],
      ],
    )
  })

  test('is fetched over HTTP, and of an empty repository is empty', async () => {
    await using it = await lab()
    const host = it.stack.use(await gitHost(it.folder))
    await fetchMirror(it.mirror, `${host.url}/work`, undefined, signal)
    assert.equal((await refsOf(it.mirror)).refs.get('refs/heads/main'), it.first)
    await git(it.folder, 'init', '--quiet', '--bare', 'empty.git')
    await fetchMirror(join(it.folder, 'second.git'), `${host.url}/empty.git`, undefined, signal)
    assert.equal((await refsOf(join(it.folder, 'second.git'))).refs.size, 0)
  })

  test('of a path of this machine is refused, unless a test asks for it', async () => {
    await using it = await lab()
    await assert.rejects(fetchMirror(it.mirror, it.work, undefined, signal), { code: 'invalid' })
    await assert.rejects(fetchMirror(it.mirror, `file://${it.work}`, undefined, signal), { code: 'invalid' })
    await assert.rejects(fetchMirror(it.mirror, `ext::sh -c 'touch ${it.folder}/x'`, undefined, signal), {
      code: 'invalid',
    })
  })

  test('uses its key from a file that only we can read, and that is gone afterwards', async () => {
    await using it = await lab()
    // Stands in for ssh: notes how it was called and what the key file was like, and runs git itself.
    const notes = join(it.folder, 'notes')
    const bin = join(it.folder, 'bin')
    await mkdir(bin)
    const script = `#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word" >> '${notes}'; done
file=$(ls '${it.mirror}'/key.*)
stat -c %a "$file" >> '${notes}'; cat "$file" >> '${notes}'
exec git-upload-pack '${it.work}'
`
    await writeFile(join(bin, 'ssh'), script)
    await chmod(join(bin, 'ssh'), 0o755)
    const path = process.env['PATH'] ?? ''
    process.env['PATH'] = `${bin}:${path}`
    try {
      await fetchMirror(it.mirror, 'git@code.example:team/x.git', 'KEY', signal)
    } finally {
      process.env['PATH'] = path
    }
    const seen = await readFile(notes, 'utf8')
    assert.match(seen, /^IdentitiesOnly=yes\n/m)
    assert.match(seen, /^git@code\.example\n/m)
    assert.match(seen, /^600\nKEY\n/m)
    assert.equal((await refsOf(it.mirror)).refs.get('refs/heads/main'), it.first)
    assert.deepEqual(
      (await readdir(it.mirror)).filter((name) => name.startsWith('key')),
      [],
    )
  })
})

test('a mirror that is fetched again finds what is new', async () => {
  await using it = await lab()
  await fetchMirror(it.mirror, it.work, { allowFile: true }, signal)
  const second = await commit(it.work, 'second')
  await fetchMirror(it.mirror, it.work, { allowFile: true }, signal)
  assert.equal((await refsOf(it.mirror)).refs.get('refs/heads/main'), second)
})

describe('the address of a repository', () => {
  test('is taken apart', () => {
    const parts = ({ protocol, host, port }: ReturnType<typeof checkGitUrl>) => `${protocol} ${host} ${port}`
    assert.equal(parts(checkGitUrl('https://code.example/team/x.git')), 'https code.example 443')
    assert.equal(parts(checkGitUrl('http://127.0.0.1:8080/x')), 'http 127.0.0.1 8080')
    assert.equal(parts(checkGitUrl('ssh://git@code.example:2222/team/x.git')), 'ssh code.example 2222')
    assert.equal(parts(checkGitUrl('git@code.example:team/x.git')), 'ssh code.example 22')
    assert.equal(parts(checkGitUrl('https://[::1]/x')), 'https [::1] 443')
  })

  test('cannot be an option, another protocol, a command, or carry a password', () => {
    const hostile = [
      '',
      '-x',
      '--upload-pack=sh',
      '/etc',
      '../x',
      'file:///etc',
      'ext::sh -c id',
      'git://code.example/x',
      'fd::17',
      'ssh://-oProxyCommand=id/x',
      '-oProxyCommand=id@host:x',
      'git@-oProxyCommand=id:x',
      'git@host:-x',
      'ssh://host/-x',
      'https://user:secret@code.example/x',
      'https://code.example/x y',
      'https://code.example/x\n',
      'https://code.example/$(id)',
      "https://code.example/'x",
      'https:///x',
      'https://code.example',
      'https://code.example/x?y',
      'https://code.example/x#y',
      'https://code.example:0/x',
      'https://code.example:99999/x',
      'HTTPS://code.example/x',
      `https://code.example/${'x'.repeat(2000)}`,
    ]
    for (const url of hostile) assert.throws(() => checkGitUrl(url), { code: 'invalid' }, url)
  })
})

test('the command for ssh survives blanks and quotes in paths, and pins an address under the name of its host', () => {
  const command = sshCommand({ keyFile: "/a b/it's%h", knownHosts: '/k', host: 'code.example', address: '192.0.2.1' })
  assert.ok(command.includes(`'IdentityFile="/a b/it'\\''s%%h"'`), command)
  assert.ok(command.includes("'HostName=192.0.2.1' '-o' 'HostKeyAlias=code.example'"), command)
})
