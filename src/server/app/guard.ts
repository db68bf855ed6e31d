import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { Refusal } from '#kit/refusal.ts'

/*
 * Nothing that a user names may lead us into our own network: a URL is checked when it is given, and every address its host
 * resolves to is checked again when we connect, on the very addresses that are then used (no second look-up, no redirect).
 */

const inside = new BlockList()
const nets4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
for (const [net, bits] of nets4) inside.addSubnet(net, bits, 'ipv4')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  special6.addSubnet(net, bits, 'ipv6')

/** Whether an address is one that anybody on the internet could reach. IPv6 is good only inside 2000::/3, so mapped and translated forms are not. */
export function isOutside(address: string): boolean {
  if (isIPv6(address)) return globalUnicast.check(address, 'ipv6') && !special6.check(address, 'ipv6')
  return isIP(address) === 4 && !inside.check(address, 'ipv4')
}

const isAllowed = (url: URL, hosts: readonly string[]): boolean =>
  hosts.includes(url.hostname) || hosts.includes(url.host)

/** Refuses an address that webhooks may not be sent to. Hosts that the operator allows may be inside, and without TLS. */
export function checkWebhookUrl(text: string, allowedHosts: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Refusal('invalid', 'Cannot use the url as it must be an https address: it is not')
  if (url.username !== '' || url.password !== '')
    throw new Refusal('invalid', 'Cannot use the url as it must not carry a user or password: it does')
  if (isAllowed(url, allowedHosts)) return url
  if (url.protocol !== 'https:')
    throw new Refusal('invalid', 'Cannot use the url as it must begin with https: it does not')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isOutside(literal))
    throw new Refusal('invalid', `Cannot use the url as its host must be outside of our network: it is ${literal}`)
  if (/(^|\.)(localhost|local|internal)\.?$/i.test(url.hostname)) {
    throw new Refusal('invalid', `Cannot use the url as its host must be outside of our network: it is ${url.hostname}`)
  }
  return url
}

type Done = (error: Error | null, addresses?: LookupAddress[] | string, family?: number) => void

/** A look-up for a socket that gives only addresses outside of our network; one inside spoils the whole answer. */
export function guardedLookup(allowed: boolean) {
  return (host: string, options: LookupOptions, done: Done): void => {
    lookup(host, { all: true, verbatim: true }).then(
      (addresses) => {
        const bad = allowed ? undefined : addresses.find(({ address }) => !isOutside(address))
        if (bad || addresses.length === 0)
          done(new Error(`Cannot connect to ${host}: ${bad ? 'it leads into our own network' : 'it has no address'}`))
        else if (options.all === true) done(null, addresses)
        else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4)
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }
}

/** Whether the operator allows this host whatever its address. */
export const hostIsAllowed = (url: string, hosts: readonly string[]): boolean => isAllowed(new URL(url), hosts)
