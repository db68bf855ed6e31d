import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Somebody who takes what webhooks and chats are sent, and answers as the test says. */
export async function openReceiver(status: () => number = () => 200) {
  const types: string[] = []
  const bodies: string[] = []
  const server = createServer(async (request, answer) => {
    types.push(String(Object.entries(request.headers).find(([name]) => name.endsWith('event-type'))?.[1]))
    bodies.push(Buffer.concat(await Array.fromAsync(request)).toString())
    answer.writeHead(status()).end(status() < 300 ? 'thanks' : 'not today')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    types,
    bodies,
    url: `http://127.0.0.1:${address.port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
