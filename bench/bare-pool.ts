import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Pool } from 'undici'

/*
 * The floor of deliveries, as a program of its own: as cold at its start as the service is. It posts the requests that the service
 * posts, signed one by one, and nothing else: it reads them from nowhere and notes nothing.
 *
 *   node bench/bare-pool.ts <origin> <connections> <count> < {"secret", "headers", "signatures", "body"}
 */

interface Request {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  /** The headers that carry the signature. */
  readonly signatures: readonly string[]
  readonly body: string
}

const [origin = '', connections = '1', count = '0'] = process.argv.slice(2)
const { secret, headers, signatures, body } = JSON.parse(await text(process.stdin)) as Request
const pool = new Pool(origin, { connections: Number(connections) })
let left = Number(count)
const lane = async () => {
  while (left-- > 0) {
    const signature = `v1=${createHmac('sha256', secret).update(body).digest('hex')}`
    const signed = { ...headers, ...Object.fromEntries(signatures.map((name) => [name, signature])) }
    await (await pool.request({ path: '/hook', method: 'POST', headers: signed, body })).body.dump()
  }
}
await Promise.all(Array.from({ length: Number(connections) }, lane))
await pool.close()
