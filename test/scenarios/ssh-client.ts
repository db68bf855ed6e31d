import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKeyPair } from '#server/vcs/keys.ts'

/** What a client said, and how it ended. */
export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A person with a key pair and the real `ssh`, who uses nothing of the machine's own settings. */
export function sshPerson() {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-ssh-'))
  const { publicKey, privateKey } = newKeyPair('ada@laptop')
  const key = join(folder, 'key')
  writeFileSync(key, privateKey, { mode: 0o600 })
  const options = ['-F', '/dev/null', '-i', key, ...words].concat('-o', `UserKnownHostsFile=${join(folder, 'hosts')}`)

  /** Runs `ssh -p <port> <name>@<host> ...`, as the log of the job says it. */
  const start = (address: readonly string[], ...args: readonly string[]) => begin('ssh', [...address, ...args])

  function begin(program: string, args: readonly string[]) {
    const child = spawn(program, [...options, ...args], { env: { PATH: process.env['PATH'] ?? '' } })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    child.stdin.on('error', () => {})
    const said = new Promise<Said>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, out, err }))
    })
    return { said, out: () => out, write: (text: string) => child.stdin.write(text), end: () => child.stdin.end() }
  }

  return {
    publicKey,
    folder,
    start,
    /** Runs a program beside `ssh` that comes the same way, as `scp` does; what it is told is a batch of commands. */
    carry(
      program: 'scp' | 'sftp',
      [, port = '']: readonly string[],
      args: readonly string[],
      told = '',
    ): Promise<Said> {
      const running = begin(program, ['-P', port, ...args])
      running.write(told)
      running.end()
      return running.said
    },
    /** To its end, with nothing to read. */
    run(address: readonly string[], ...args: readonly string[]): Promise<Said> {
      const running = start(address, ...args)
      running.end()
      return running.said
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const words = [
  'IdentitiesOnly=yes',
  'IdentityAgent=none',
  'StrictHostKeyChecking=accept-new',
  'LogLevel=ERROR',
  'NumberOfPasswordPrompts=0',
  'ConnectTimeout=180',
].flatMap((option) => ['-o', option])
