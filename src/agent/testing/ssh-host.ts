import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import type { TestRepository } from './repository.ts'

/** A host of git that speaks SSH and lets one key in; repositories are named by their paths. */
export async function sshHost(publicKey: string) {
  const own = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const allowed = ssh2.utils.parseKey(publicKey)
  if (allowed instanceof Error) throw allowed
  const clients = new Set<ssh2.Connection>()
  const server = new ssh2.Server({ hostKeys: [own.private] }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.on('authentication', (context) => {
      if (context.method === 'publickey' && context.key.data.equals(allowed.getPublicSSH())) context.accept()
      else context.reject(['publickey'])
    })
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec()
        const child = spawn('/bin/sh', ['-c', command])
        channel.pipe(child.stdin).on('error', () => {})
        child.stdout.pipe(channel, { end: false })
        child.stderr.pipe(channel.stderr, { end: false })
        child.on('close', (code) => {
          channel.exit(code ?? 1)
          channel.end()
        })
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: ({ path }: TestRepository) => `ssh://git@127.0.0.1:${port}${path}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const client of clients) client.end()
      }),
  }
}
