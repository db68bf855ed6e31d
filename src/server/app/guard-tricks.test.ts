import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { openDns, type Zone } from '#test/dns-server.ts'
import { openReceiver } from '#test/scenarios/receiver.ts'
import { checkUrl, guardedLookup, outsideAddresses } from './guard.ts'

/*
 * Ways that others found to lead a service into its own network. What a URL shows is refused when it is given; what only its name
 * hides, when it is looked up.
 */

const urls: Readonly<Record<string, readonly string[]>> = {
  'an address in other numbers': [
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0177.0.0.01/',
    'https://127.1/',
    'https://127.0.1/',
    'https://0/',
    'https://0x0/',
    'https://00000000000000000000000177.0.0.1/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://169.16689662/',
    'https://3232235777/',
    'https://167772161/',
  ],
  'an address in other letters': [
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://127．0．0．1/',
    'https://127｡0｡0｡1/',
    'https://%31%32%37.0.0.1/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://loc%61lhost/',
    'https://LOCALHOST/',
    'https://loc\tal\nhost/',
    'https://\u00adlocalhost/',
  ],
  'an address that stands for another': [
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::10.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fe80::1%25eth0]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[100::1]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[2001:20::1]/',
    'https://[5f00::1]/',
  ],
  'a network of our own': [
    'https://10.0.0.1/',
    'https://10.255.255.255/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://127.255.255.254/',
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.170.2/v2/credentials',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://0.0.0.0/',
    'https://0.1.2.3/',
    'https://192.0.0.192/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
  ],
  'a name of our own': [
    'https://localhost./',
    'https://127.0.0.1./',
    'https://anything.localhost/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://host.localdomain/',
    'https://host.docker.internal/',
  ],
  'a user before the host': [
    'https://example.com@127.0.0.1/',
    'https://example.com:443@localhost/',
    'https://:@127.0.0.1/',
    'https://user@example.com/',
    'https://127.0.0.1#@example.com/',
    'https://127.0.0.1\\@example.com/',
    'https://127.0.0.1?@example.com/',
    'https:\\\\127.0.0.1\\',
    'https:127.0.0.1',
  ],
  'another scheme or port': [
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:fetch()',
    'blob:https://example.com/x',
    '//example.com/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:0/',
    'https://example.com:6667/',
    'https://example.com:99999/',
    'https://example.com:port/',
    'https:///',
    'https://[::1',
    'https://exa mple.com/',
    'https://1.2.3.4.5.6.7.8.9/',
    'https://256.256.256.256/',
  ],
}

for (const [what, tricks] of Object.entries(urls)) {
  describe(`a url with ${what} is refused`, () => {
    for (const trick of tricks)
      test(JSON.stringify(trick), () =>
        assert.throws(() => checkUrl(trick, ['allowed.example', '10.9.9.9:8080']), {
          name: 'Refusal',
          code: 'invalid',
        }),
      )
  })
}

const zone: Zone = {
  'good.example.com': () => ['93.184.216.34', '2606:2800:220:1::1'],
  'loopback.example.com': () => ['127.0.0.1'],
  'mixed.example.com': () => ['93.184.216.34', '10.0.0.1'],
  'mixed6.example.com': () => ['93.184.216.34', 'fd00::1'],
  'mapped.example.com': () => ['::ffff:127.0.0.1'],
  'metadata.example.com': () => ['169.254.169.254'],
  'nat64.example.com': () => ['64:ff9b::7f00:1'],
  'unspecified.example.com': () => ['0.0.0.0', '::'],
  'shared.example.com': () => ['100.64.1.1'],
  'silent.example.com': () => [],
  // Good when it is first asked for, and then never again.
  'rebinding.example.com': (count) => (count === 1 ? ['93.184.216.34'] : ['127.0.0.1']),
}

describe('a name', () => {
  for (const name of Object.keys(zone).filter((one) => !/^(good|rebinding)/.test(one)))
    test(`${name} leads nowhere`, async () => {
      await using dns = await openDns(zone)
      await assert.rejects(outsideAddresses(name, false, dns.resolve), /our own network|no address/)
    })

  test('that leads outside is connected to at just the addresses that were checked', async () => {
    await using dns = await openDns(zone)
    const found = await outsideAddresses('good.example.com', false, dns.resolve)
    assert.deepEqual(
      found.map(({ address }) => address),
      ['93.184.216.34', '2606:2800:220:1::1'],
    )
  })

  test('that changes between two look-ups is looked up once for each connection, and refused once it leads inside', async () => {
    await using dns = await openDns(zone)
    const look = guardedLookup(false, dns.resolve)
    const once = () =>
      new Promise<unknown>((resolve) =>
        look('rebinding.example.com', { all: true }, (error, found) => resolve(error ?? found)),
      )
    assert.deepEqual(await once(), [{ address: '93.184.216.34', family: 4 }])
    // Both families of the one look-up.
    assert.equal(dns.asked.length, 2)
    assert.match(String(await once()), /leads into our own network/)
  })

  test('that leads inside opens no socket, unless the operator allows it', async () => {
    await using dns = await openDns(zone)
    await using receiver = await openReceiver(() => 200)
    const port = Number(receiver.host.split(':')[1])
    const get = (allowed: boolean) =>
      new Promise<string>((resolve) => {
        const lookup = guardedLookup(allowed, dns.resolve) as never
        request({ host: 'loopback.example.com', port, lookup, agent: false }, (answer) => {
          answer.resume()
          resolve(String(answer.statusCode))
        })
          .on('error', (error) => resolve(error.message))
          .end()
      })
    assert.match(await get(false), /leads into our own network/)
    assert.equal(receiver.received.length, 0)
    assert.equal(await get(true), '200')
  })
})
