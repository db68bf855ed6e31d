import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
}

/** What a page of ours may load: nothing from anywhere else. */
export const policy =
  "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

interface Page {
  readonly type: string
  readonly plain: Buffer
  readonly packed: Buffer
  readonly etag: string
  readonly forever: boolean
}

/** Serves the built pages from memory, compressed once; any address that is no file is the application's own and gets its first page. */
export async function servePages(http: FastifyInstance, folder: string | undefined): Promise<void> {
  const pages = folder === undefined ? new Map<string, Page>() : await readPages(folder)
  http.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (request.method !== 'GET' || /^\/(api|git)(\/|$)/.test(path))
      return reply.code(404).send({ message: 'Not Found' })
    const page =
      pages.get(path) ?? (extname(path) === '' || path.split('/').length > 3 ? pages.get('/index.html') : undefined)
    return page
      ? send(request, reply, page)
      : reply.code(404).send({ message: pages.size === 0 ? 'The pages are not built.' : 'Not Found' })
  })
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  void reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('etag', page.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', page.forever ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  void reply.header('content-type', page.type)
  const packed = (request.headers['accept-encoding'] ?? '').includes('gzip')
  if (packed) void reply.header('content-encoding', 'gzip')
  return reply.send(packed ? page.packed : page.plain)
}

async function readPages(folder: string): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  const found = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of found) {
    const file = join(folder, name)
    if (!(await stat(file)).isFile()) continue
    const plain = await readFile(file)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    pages.set(path, {
      type: types[extname(file)] ?? 'application/octet-stream',
      plain,
      packed: await promisify(gzip)(plain, { level: 9 }),
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      forever: path.startsWith('/assets/'),
    })
  }
  return pages
}
