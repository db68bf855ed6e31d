import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestRepository } from './repository.ts'

/**
 * Serves the files of a repository over HTTP: enough for git to fetch. Whatever is asked for goes through `answer` first, which
 * may take its time, or say that the connection breaks.
 */
export async function gitHost(
  { path, git }: TestRepository,
  answer: (file: string, authorization: string | undefined) => Promise<'serve' | 'refuse' | 'break'>,
) {
  git('update-server-info')
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const file = new URL(request.url ?? '/', 'http://host').pathname
    asked.push(file)
    const how = await answer(file, request.headers.authorization)
    if (how === 'break') return void request.socket.destroy()
    if (how === 'refuse') return void response.writeHead(401).end()
    const found = join(path, '.git', file)
    if (existsSync(found) && statSync(found).isFile()) response.end(readFileSync(found))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
