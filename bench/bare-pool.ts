import { text } from 'node:stream/consumers'
import { Pool } from 'undici'

/*
 * The floor of deliveries, as a program of its own: as cold at its start as the service is.
 *
 *   node bench/bare-pool.ts <origin> <connections> <count> < body
 */

const [origin = '', connections = '1', count = '0'] = process.argv.slice(2)
const body = await text(process.stdin)
const pool = new Pool(origin, { connections: Number(connections) })
const headers = { 'content-type': 'application/json' }
let left = Number(count)
const lane = async () => {
  while (left-- > 0) await (await pool.request({ path: '/', method: 'POST', headers, body })).body.dump()
}
await Promise.all(Array.from({ length: Number(connections) }, lane))
await pool.close()
