import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'
import { program } from '#test/program.ts'
import { patience } from './eventually.ts'

/** A server of its own, in an empty folder, and the link that it prints for the first sign-in. */
export async function startServer(folder: string, more: Readonly<Record<string, string>> = {}) {
  const settings = {
    listen: `127.0.0.1:${await freePort()}`,
    data: join(folder, 'data'),
    sample: 'off',
    'drain-seconds': '0',
    'log-level': 'error',
    // Receivers of webhooks in tests listen on this machine.
    'webhook-hosts': '127.0.0.1',
    // So do the providers.
    'repository-hosts': '127.0.0.1',
    ...more,
  }
  // Not as arguments, which do not take secrets.
  const environment = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`ROUNDHOUSE_${name.replaceAll('-', '_').toUpperCase()}`, value]),
  )
  const start = () =>
    spawn(process.execPath, [program, 'up'], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  let child = start()
  const said: string[] = []
  let ended = once(child, 'exit')
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
    /** Ends the server as a power cut would, and starts it again in the same place. */
    restart: async () => {
      child.kill('SIGKILL')
      await ended
      child = start()
      ended = once(child, 'exit')
      for (const stream of [child.stdout, child.stderr]) stream.resume()
      await answers(`http://${settings.listen}/readyz`)
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Waits until a server answers. */
async function answers(url: string): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; await pause(50)) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
  }
  throw new Error(`Cannot reach ${url}`)
}
