import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Refusal } from '#kit/refusal.ts'
import { isForeignPort, isOutside } from './outside.ts'

/*
 * Nothing that a user names may lead us into our own network. A URL is checked when it is given and again whenever it is used; the
 * addresses its host has are looked up once, and the socket goes to exactly those that were checked: no second look-up, no redirect.
 */

const isAllowed = (url: URL, hosts: readonly string[]): boolean =>
  hosts.includes(url.hostname) || hosts.includes(url.host)

/** Names that mean this machine or its neighbours wherever they are looked up. */
const neighbours = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)\.?$/i

/** The host of a URL as an address or name: without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Refuses an address that nothing may be sent to or fetched from. Hosts that the operator allows may be inside, and without TLS. */
export function checkUrl(text: string, allowedHosts: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Refusal('invalid', 'Cannot use the url as it must be an https address: it is not')
  if (url.username !== '' || url.password !== '')
    throw new Refusal('invalid', 'Cannot use the url as it must not carry a user or password: it does')
  if (isAllowed(url, allowedHosts)) return url
  if (url.protocol !== 'https:')
    throw new Refusal('invalid', 'Cannot use the url as it must begin with https: it does not')
  if (url.port !== '' && isForeignPort(Number(url.port)))
    throw new Refusal('invalid', `Cannot use the url as its port must be one for https: it is ${url.port}`)
  const host = hostOf(url)
  if (isIP(host) === 0 ? neighbours.test(host) : !isOutside(host))
    throw new Refusal('invalid', `Cannot use the url as its host must be outside of our network: it is ${host}`)
  return url
}

/** Asks for all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/** The addresses of a host, all of them outside of our network unless it is allowed: one inside spoils the whole answer. */
export async function outsideAddresses(
  host: string,
  allowed: boolean,
  resolve: Resolve = systemResolve,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (addresses.length === 0) throw new Error(`Cannot connect to ${host}: it has no address`)
  if (!allowed && !addresses.every(({ address }) => isOutside(address)))
    throw new Refusal('invalid', `Cannot connect to ${host}: it leads into our own network`)
  return addresses
}

type Done = (error: Error | null, addresses?: LookupAddress[] | string, family?: number) => void

/** A look-up for a socket, which then connects to what was checked. A host that is an address never comes here: see `checkUrl`. */
export function guardedLookup(allowed: boolean, resolve?: Resolve) {
  return (host: string, options: LookupOptions, done: Done): void => {
    outsideAddresses(host, allowed, resolve).then(
      (addresses) => {
        if (options.all === true) done(null, [...addresses])
        else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4)
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }
}

/** Whether the operator allows this host whatever its address. */
export const hostIsAllowed = (url: string, hosts: readonly string[]): boolean => isAllowed(new URL(url), hosts)
