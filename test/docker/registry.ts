import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A registry that speaks the second version of its protocol on loopback, where engines do without TLS. It has one image, `one`,
 * made of a single layer; with a password, only for whoever shows it. To an engine that takes it for its proxy it is each
 * registry that may be asked without TLS.
 */
export async function fakeRegistry(layer: Buffer, opens?: string | ((shown: string) => boolean)) {
  const sum = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [sum(layer)] },
    }),
  )
  const part = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: sum(bytes) })
  const kind = 'application/vnd.docker.distribution.manifest.v2+json'
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: kind,
      config: part('application/vnd.docker.container.image.v1+json', config),
      layers: [part('application/vnd.docker.image.rootfs.diff.tar', layer)],
    }),
  )
  const blobs = new Map([config, layer].map((bytes) => [sum(bytes), bytes]))

  const server = http.createServer((request, response) => {
    const path = (request.url ?? '').replace(/^http:\/\/[^/]+/, '')
    const [, name, what, reference = ''] = /^\/v2\/(\w+)\/(manifests|blobs)\/(.+)$/.exec(path) ?? []
    const shown = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    if (opens !== undefined && !(typeof opens === 'string' ? shown === `ci:${opens}` : opens(shown)))
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
    if (path === '/v2/') return void response.end('{}')
    const isManifest = what === 'manifests' && (reference === 'latest' || reference === sum(manifest))
    const bytes = isManifest ? manifest : blobs.get(reference)
    if (!bytes || name !== 'one')
      return void response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}')
    response.writeHead(200, {
      'content-type': isManifest ? kind : 'application/octet-stream',
      'content-length': bytes.length,
      'docker-content-digest': sum(bytes),
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
