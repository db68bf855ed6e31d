import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { declared } from './declared-settings.ts'
import { describeSettings, resolveSettings, type Sources, variableOf } from './settings.ts'

type Given = Partial<Omit<Sources, 'file'>> & { readonly file?: string }
const from = ({ file, ...sources }: Given) =>
  resolveSettings({
    flags: {},
    environment: {},
    ...sources,
    file: file === undefined ? undefined : { text: () => file, parse },
  })
const bad = (sources: Given, message: string): void =>
  assert.throws(() => from(sources), { name: 'BadSetting', message })

describe('where a setting comes from', () => {
  const file = 'listen: 0.0.0.0:3\nagent-slots: 3\ndialect: circle'
  const environment = { ROUNDHOUSE_LISTEN: '0.0.0.0:2', ROUNDHOUSE_AGENT_SLOTS: '2', PATH: '/bin' }
  const flags = { listen: '0.0.0.0:1' }

  test('a flag wins over a variable, a variable over the file, the file over the default', () => {
    const { settings, origins } = from({ flags, environment, file })
    assert.deepEqual(
      [settings.listen, settings['agent-slots'], settings.dialect, settings.data],
      ['0.0.0.0:1', 2, 'circle', 'data'],
    )
    assert.deepEqual(
      [origins.listen, origins['agent-slots'], origins.dialect, origins.data],
      ['flag', 'environment', 'file', 'default'],
    )
  })

  test('without anything said, everything is as declared', () => {
    const { settings } = from({})
    for (const [name, { fallback }] of Object.entries(declared))
      assert.deepEqual(settings[name as keyof typeof declared], fallback)
    assert.deepEqual(from({ file: '' }), from({}))
    assert.deepEqual(from({ file: '# nothing\n' }), from({}))
  })

  test('an empty variable is as none', () => {
    assert.equal(from({ environment: { ROUNDHOUSE_LISTEN: '' } }).settings.listen, declared.listen.fallback)
  })

  test('a list may be written as one in the file, and with commas elsewhere', () => {
    const wanted = ['ci.internal', '10.0.0.1:80']
    assert.deepEqual(from({ file: 'webhook-hosts: [ci.internal, "10.0.0.1:80"]' }).settings['webhook-hosts'], wanted)
    assert.deepEqual(from({ flags: { 'webhook-hosts': 'ci.internal, 10.0.0.1:80' } }).settings['webhook-hosts'], wanted)
  })

  test('the variable of a setting is its name in capitals', () =>
    assert.equal(variableOf('base-url'), 'ROUNDHOUSE_BASE_URL'))

  test('variables of our own tests are no settings', () => {
    from({ environment: { ROUNDHOUSE_TEST_POSTGRES: 'postgres://x', ROUNDHOUSE_TEST_LANES: '/tmp/lanes' } })
  })
})

describe('what is wrong is named', () => {
  test('a setting that nobody declared', () => {
    bad({ environment: { ROUNDHOUSE_LISTN: 'x' } }, 'Unknown setting ROUNDHOUSE_LISTN in the environment')
    bad({ file: 'listn: x' }, 'Unknown setting listn in roundhouse.yml')
    bad({ file: 'toString: x' }, 'Unknown setting toString in roundhouse.yml')
  })

  const table = [
    [{ 'agent-slots': 'many' }, 'Cannot use "many" for --agent-slots: it must be a whole number from 0 to 1000'],
    [{ 'agent-slots': '-1' }, 'Cannot use "-1" for --agent-slots: it must be a whole number from 0 to 1000'],
    [{ 'agent-slots': '1001' }, 'Cannot use "1001" for --agent-slots: it must be a whole number from 0 to 1000'],
    [{ dialect: 'klingon' }, 'Cannot use "klingon" for --dialect: it must be one of service, circle'],
    [{ sample: 'maybe' }, 'Cannot use "maybe" for --sample: it must be on or off'],
    [{ listen: '8080' }, 'Cannot use "8080" for --listen: it must be <host>:<port>'],
    [
      { listen: 'localhost:99999' },
      'Cannot use "99999" for --listen: it must be <host>:<port>'.replace('99999', 'localhost:99999'),
    ],
    [
      { 'base-url': 'ci.example.com' },
      'Cannot use "ci.example.com" for --base-url: it must be an http or https address',
    ],
    [
      { 'base-url': 'https://ci.example.com/?a' },
      'Cannot use "https://ci.example.com/?a" for --base-url: it must be an http or https address',
    ],
  ] as const
  for (const [flags, message] of table) test(`${JSON.stringify(flags)}`, () => bad({ flags }, message))

  test('every setting refuses what cannot be its value, in each of the three ways, and names itself and where that stands', () => {
    // No value may hold a character that rings.
    const value = 'hunter2\u0007'
    for (const [name, { secret }] of Object.entries(declared) as [string, { secret?: true }][]) {
      for (const [sources, as] of [
        [{ flags: { [name]: value } }, `--${name}`],
        [{ environment: { [variableOf(name)]: value } }, variableOf(name)],
        [{ file: JSON.stringify({ [name]: value }) }, `${name} in roundhouse.yml`],
      ] as const) {
        assert.throws(
          () => from(sources),
          (error: Error) => {
            const shown = secret ? '' : ` ${JSON.stringify(value)}`
            assert.equal(error.name, 'BadSetting')
            assert.ok(error.message.startsWith(`Cannot use${shown} for ${as}: `), error.message)
            assert.equal(error.message.includes('hunter2'), !secret, error.message)
            return true
          },
          as,
        )
      }
    }
  })

  test('nonsense that looks like a value', () => {
    for (const [name, ...values] of [
      ['data', ''],
      [
        'base-url',
        'http://',
        'http://ci.example.com:99999',
        'http://me:secret@ci.example.com',
        'javascript:alert(1)',
        'http://ci .example.com',
        'http://ci.example.com/\\x',
        ' http://ci.example.com',
      ],
      ['database-url', 'mysql://db/ci', 'postgres://', 'postgres://user:a/b@db:port/ci'],
      ['trusted-proxies', 'proxy', '10.0.0.256', '10.0.0.0/33', '::g', 'fd00::/129', '10.0.0.1,,x'],
      ['webhook-hosts', 'http://ci.internal', 'ci.internal/', 'a@b', 'host:port'],
      ['repository-hosts', 'ssh://git.internal'],
      ['listen', ':80', 'a b:80', 'localhost:', 'http://localhost:80', '::1:80'],
      ['credits', 'medium', 'medium=', 'medium=-1', '=3'],
      ['agent-options', '--engine', 'engine none', '--nonsense x'],
    ] as const)
      for (const value of values)
        assert.throws(
          () => from({ flags: { [name]: value } }),
          { name: 'BadSetting', message: /^Cannot use/ },
          `${name} ${value}`,
        )
    const good = {
      'trusted-proxies': 'loopback 10.0.0.0/8,fd00::/8 ::1 127.0.0.1',
      'webhook-hosts': '[fd00::1]:80 ci.internal 10.0.0.1:8080',
    }
    const { settings } = from({ flags: good })
    assert.deepEqual([settings['trusted-proxies'].length, settings['webhook-hosts'].length], [5, 3])
  })

  test('and where it stands', () => {
    bad(
      { environment: { ROUNDHOUSE_SAMPLE: 'maybe' } },
      'Cannot use "maybe" for ROUNDHOUSE_SAMPLE: it must be on or off',
    )
    bad({ file: 'sample: maybe' }, 'Cannot use "maybe" for sample in roundhouse.yml: it must be on or off')
  })

  test('a file that is no map of settings', () => {
    bad({ file: '[1, 2]' }, 'Cannot read roundhouse.yml: it must be a map of settings')
    bad({ file: 'hello' }, 'Cannot read roundhouse.yml: it must be a map of settings')
    assert.throws(() => from({ file: 'a: [' }), { name: 'BadSetting', message: /^Cannot read roundhouse.yml: / })
  })

  test('a setting without a value, or with a map for one', () => {
    assert.throws(() => from({ file: 'data:' }), { name: 'BadSetting', message: /data in roundhouse.yml/ })
    assert.throws(() => from({ file: 'data: { a: b }' }), { name: 'BadSetting', message: /data in roundhouse.yml/ })
  })
})

describe('secrets', () => {
  test('are shown neither when they are wrong nor when settings are listed', () => {
    bad(
      { environment: { ROUNDHOUSE_ADMIN_TOKEN: 'short' } },
      'Cannot use for ROUNDHOUSE_ADMIN_TOKEN: it must have 16 to 500 printable characters, without spaces and colons',
    )
    const url = 'postgres://user:hunter2@db/ci'
    const shown = describeSettings(
      from({ environment: { ROUNDHOUSE_ADMIN_TOKEN: 'token-of-ada-0123456789', ROUNDHOUSE_DATABASE_URL: url } }),
    )
    assert.equal(/hunter2|token-of-ada/.test(shown), false)
    assert.match(shown, /^admin-token +\(set\) +environment/m)
    assert.match(shown, /^database-url +\(set\) +environment/m)
  })

  test('every setting is listed with its value, its origin and what it is for', () => {
    const lines = describeSettings(from({ flags: { 'agent-slots': '7' } })).split('\n')
    assert.equal(lines.length, Object.keys(declared).length)
    assert.match(lines.find((line) => line.startsWith('agent-slots')) ?? '', /^agent-slots +7 +flag +Jobs that/)
  })
})
