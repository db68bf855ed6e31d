import { checkUrl, guardedLookup, hostIsAllowed, type Resolve } from './guard.ts'

const longestMs = 10_000

/**
 * Reads a text from an address that somebody else wrote down: looked up once, never from inside of our own network unless the host
 * is allowed, no redirect, no cookie, no credential, within ten seconds and a number of bytes.
 */
export async function fetchText(
  address: string,
  {
    hosts,
    mostBytes,
    resolve,
  }: {
    readonly hosts: readonly string[]
    readonly mostBytes: number
    readonly resolve?: Resolve | undefined
  },
): Promise<string> {
  const url = checkUrl(address, hosts)
  // Not imported: see test/files.test.ts.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const lookup = guardedLookup(hostIsAllowed(address, hosts), resolve) as never
  const signal = AbortSignal.timeout(longestMs)
  return new Promise((resolve, reject) => {
    const asked = request(url, { lookup, signal, agent: false, headers: { accept: '*/*' } }, (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      const stop = (why: string) => {
        reject(new Error(why))
        asked.destroy()
      }
      if (answer.statusCode !== 200) return stop(`it answered ${answer.statusCode}`)
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > mostBytes) stop(`it has more than ${mostBytes} bytes`)
        else chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    asked.on('error', (error) => reject(signal.aborted ? new Error(`no answer within ${longestMs / 1000} s`) : error))
    asked.end()
  })
}
