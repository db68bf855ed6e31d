import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listProjects } from '#contract/rh/projects.ts'
import { getSession } from '#contract/rh/session.ts'

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

/** What the first page reads first: a browser asks for it beside the scripts, not after it has read and run them. */
const firstRead = [getSession, listProjects]
  .map(({ path }) => `</api/rh/v1${path}>; rel=preload; as=fetch; crossorigin`)
  .join(', ')

interface Page {
  readonly type: string
  /** The only form that is kept: hardly anybody wants the other. */
  readonly packed: Buffer
  readonly etag: string
  readonly forever: boolean
}

/**
 * Serves the built pages from memory, each read and compressed when it is first asked for: most are not, and a start waits for none.
 * Any address that is no file is the application's own and gets its first page.
 */
export async function servePages(http: FastifyInstance, folder: string | undefined): Promise<void> {
  const files = folder === undefined ? new Map<string, string>() : await filesIn(folder)
  const pages = new Map<string, Promise<Page>>()
  const pageAt = (path: string): Promise<Page> | undefined => {
    const file = files.get(path)
    if (file === undefined || pages.has(path)) return pages.get(path)
    const page = readPage(path, file)
    pages.set(path, page)
    // One that could not be read may be there again when it is asked for again.
    page.catch(() => pages.delete(path))
    return page
  }
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (request.method !== 'GET' || /^\/(api|git)(\/|$)/.test(path))
      return reply.code(404).send({ message: 'Not Found' })
    const page = await (pageAt(path) ??
      (extname(path) === '' || path.split('/').length > 3 ? pageAt('/index.html') : undefined))
    return page
      ? send(request, reply, page)
      : reply.code(404).send({ message: files.size === 0 ? 'The pages are not built.' : 'Not Found' })
  })
}

async function send(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  void reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('etag', page.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', page.forever ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.url === '/') void reply.header('link', firstRead)
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  void reply.header('content-type', page.type)
  const packed = (request.headers['accept-encoding'] ?? '').includes('gzip')
  if (packed) void reply.header('content-encoding', 'gzip')
  return reply.send(packed ? page.packed : await promisify(gunzip)(page.packed))
}

/** Every file below a folder, by the address at which it is served. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return new Map(
    found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]),
  )
}

async function readPage(path: string, file: string): Promise<Page> {
  const plain = await readFile(file)
  return {
    type: types[extname(file)] ?? 'application/octet-stream',
    packed: await promisify(gzip)(plain, { level: 9 }),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    forever: path.startsWith('/assets/'),
  }
}
