import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '../..')

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

/** A server of its own, in an empty folder, and the link that it prints for the first sign-in. */
export async function startServer(folder: string, sample: 'on' | 'off' = 'off') {
  const settings = {
    listen: `127.0.0.1:${await freePort()}`,
    data: join(folder, 'data'),
    sample,
    'drain-seconds': '0',
    'log-level': 'error',
    // Receivers of webhooks in tests listen on this machine.
    'webhook-hosts': '127.0.0.1',
    // So do the providers.
    'repository-hosts': '127.0.0.1',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [join(root, 'bin/roundhouse.ts'), 'up', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const ended = once(child, 'exit')
  const link = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line)
        const found = /http:\/\/\S+\/sign-in#key=\S+/.exec(line)
        if (found) resolve(found[0])
      })
    }
    void ended.then(() => reject(new Error(`The server ended:\n${said.join('\n')}`)))
  })
  return {
    link: await link,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
