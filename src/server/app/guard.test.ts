import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkUrl, guardedLookup, hostIsAllowed } from './guard.ts'
import { isOutside } from './outside.ts'

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)

const outside = words(`
  1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255 198.17.255.255 223.255.255.255
  2606:4700:4700::1111 2a00:1450::1`)

const inside = words(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.1 192.168.1.1 198.18.0.1 203.0.113.5 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ff02::1
  2001:db8::1 2001::1 2002:7f00:1::
  localhost 127.1 0x7f000001 2130706433`)

const fit = words(
  'https://example.com/x https://example.com:8443 https://8.8.8.8/ https://[2606:4700::1]/hook https://xn--bcher-kva.example/',
)

const unfit = words(`
  example.com http://example.com ftp://example.com file:///etc/passwd javascript:alert(1) https://
  https://user:pass@example.com https://user@example.com
  https://localhost https://LOCALHOST https://app.localhost https://printer.local https://metadata.google.internal https://localhost.
  https://127.0.0.1 https://127.0.0.1. https://127.1 https://0x7f000001 https://2130706433 https://017700000001 https://0
  https://10.0.0.1:443/x https://169.254.169.254/latest https://[::1] https://[::ffff:10.0.0.1] https://[fd00::1]`)

describe('addresses', () => {
  for (const address of outside) test(`${address} is outside`, () => assert.equal(isOutside(address), true))
  for (const address of ['', ...inside])
    test(`${JSON.stringify(address)} is not`, () => assert.equal(isOutside(address), false))
})

describe('the url of a webhook', () => {
  for (const url of fit) test(`${url} will do`, () => assert.equal(checkUrl(url, []).protocol, 'https:'))
  for (const url of ['', ...unfit]) {
    test(`${JSON.stringify(url)} will not`, () =>
      assert.throws(() => checkUrl(url, []), { name: 'Refusal', code: 'invalid' }))
  }

  test('a host that the operator allows may be inside and without TLS, at the port that was named', () => {
    const hosts = ['10.0.0.1', 'localhost:9000']
    for (const url of ['http://10.0.0.1/', 'https://10.0.0.1:1/', 'http://localhost:9000/x'])
      assert.equal(checkUrl(url, hosts).href.startsWith('http'), true)
    assert.throws(() => checkUrl('http://localhost:9001/', hosts), { code: 'invalid' })
    assert.deepEqual(
      [hostIsAllowed('http://localhost:9000/', hosts), hostIsAllowed('http://localhost/', hosts)],
      [true, false],
    )
    assert.throws(() => checkUrl('http://user:pass@10.0.0.1/', hosts), { code: 'invalid' })
  })
})

describe('the look-up of a host', () => {
  const found = (allowed: boolean, host: string): Promise<unknown> =>
    new Promise((resolve) =>
      guardedLookup(allowed)(host, { all: true }, (error, addresses) => resolve(error ?? addresses)),
    )

  test('a name that leads into our own network leads nowhere, unless it is allowed', async () => {
    assert.match(String(await found(false, 'localhost')), /Cannot connect to localhost: it leads into our own network/)
    assert.ok(Array.isArray(await found(true, 'localhost')))
  })

  test('an address is checked like a name', async () => {
    assert.match(String(await found(false, '127.0.0.1')), /leads into our own network/)
    assert.deepEqual(await found(false, '8.8.8.8'), [{ address: '8.8.8.8', family: 4 }])
  })
})
