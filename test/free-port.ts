import { createServer } from 'node:net'

/* Below those that the system gives to whoever asks for any, or connects to somebody: nobody gets one of these by chance. */
const [first, last] = [10_000, 32_000]
/** What a process may take before its ports could be those of another one. */
const each = 40

let taken = 0

/**
 * A port of this machine that nobody listens on, for what must be told its port before it listens, or listens on the same one
 * again. Between its choice and its use it may be free for long: so no two processes choose from the same ports at the same time.
 */
export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < 1000; attempts++) {
    const port = first + ((process.pid * each + taken++) % (last - first))
    if (await isFree(port)) return port
  }
  throw new Error(`Cannot find a free port between ${first} and ${last}`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
