import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shellExecutor } from '#agent/executors/shell.ts'
import { job } from '#agent/testing/specs.ts'
import { tempFolder } from '#agent/testing/world.ts'
import { keyOf } from './cache-key.ts'
import { cachePath, outermost } from './cache-paths.ts'

const spec = job([], {
  number: 41,
  environment: { NAME: 'value', CIRCLE_JOB: 'build' },
  checkout: {
    url: '',
    revision: 'abc',
    branch: 'feature/x',
    tag: null,
    with_job_token: true,
    private_key: null,
  },
})

async function stage() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(tempFolder())
  const executor = shellExecutor(folder.path, 1, { tools: '/none', path: '/usr/bin:/bin' })
  stack.defer(() => executor.close())
  const place = await executor.prepare(spec)
  stack.defer(() => place.destroy())
  return { place, tools: { place, job: spec }, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('templates are filled in, with and without blanks', async () => {
  await using it = await stage()
  const cases: readonly (readonly [template: string, key: string])[] = [
    ['v1-{{ .Branch }}-{{.Revision}}', 'v1-feature/x-abc'],
    ['{{ .BuildNum }}', '41'],
    ['{{ .Environment.NAME }}-{{ .Environment.CIRCLE_JOB }}-{{ .Environment.NONE }}', 'value-build-<no value>'],
    ['a {{- .BuildNum -}} b', 'a41b'],
    ['x{{ .CheckoutKey }}', 'x'],
    ['plain } text', 'plain } text'],
  ]
  for (const [template, key] of cases) assert.equal(await keyOf(template, it.tools), key, template)
  const checkout = { ...spec.checkout, private_key: 'a key' }
  const digest = createHash('sha256').update('a key').digest('base64').replaceAll('/', '_')
  assert.equal(await keyOf('x{{ .CheckoutKey }}', { ...it.tools, job: { ...spec, checkout } }), `x${digest}`)
  assert.match(await keyOf('{{ epoch }}', it.tools), /^\d{10}$/)
  assert.match(await keyOf('{{ arch }}', it.tools), /^arch1-(linux-amd64-\d+_\d+|\w+-\w+)$/)
})

test('a checksum is that of the file, or of what a link leads to', async () => {
  await using it = await stage()
  const project = join(it.place.home, 'project')
  mkdirSync(join(project, 'sub'), { recursive: true })
  writeFileSync(join(project, 'sub', 'lock'), 'b')
  symlinkSync('sub/lock', join(project, 'link'))
  symlinkSync('ring', join(project, 'ring'))
  const sum = createHash('sha256').update('b').digest('base64').replaceAll('/', '_')
  assert.equal(await keyOf('{{ checksum "sub/lock" }}', it.tools), sum)
  assert.equal(await keyOf('{{checksum "link"}}-{{ checksum "~/project/sub/lock" }}', it.tools), `${sum}-${sum}`)
  for (const file of ['none', 'sub', 'ring'])
    await assert.rejects(keyOf(`{{ checksum "${file}" }}`, it.tools), /^StepFailed: Cannot compute the cache key/, file)
  await assert.rejects(keyOf('{{ checksum "none" }}', it.tools), {
    message: `Cannot compute the cache key {{ checksum "none" }}: there is no file ${join(project, 'none')}`,
  })
})

test('what is no key is refused with the reason', async () => {
  await using it = await stage()
  for (const [template, why] of [
    ['a{{ .Moon }}', /nobody knows this template/],
    ['a{{ .Branch', /a template is not closed/],
    ['{{ .CheckoutKey }}', /it is empty/],
    ['a\nb', /a line break/],
    ['k'.repeat(901), /it has 901 characters, more than 900/],
  ] as const)
    await assert.rejects(keyOf(template, it.tools), why)
})

test('paths below the home move with it, others stay', async () => {
  const of = (path: string) => cachePath(path, '~/project', '/jobs/1/home')
  assert.deepEqual(of('deps'), { absolute: '/jobs/1/home/project/deps', label: '~', path: 'project/deps' })
  assert.deepEqual(of('~/.m2'), { absolute: '/jobs/1/home/.m2', label: '~', path: '.m2' })
  assert.deepEqual(of('~'), { absolute: '/jobs/1/home', label: '~', path: '.' })
  assert.deepEqual(of('/usr/local/lib'), { absolute: '/usr/local/lib', label: '/', path: 'usr/local/lib' })
  assert.deepEqual(of('../../homely'), { absolute: '/jobs/1/homely', label: '/', path: 'jobs/1/homely' })
  assert.deepEqual(await outermost(['a/b', 'a', 'ab', 'a/c/d', 'x/y']), ['a', 'ab', 'x/y'])
  assert.deepEqual(await outermost(['a', '.']), ['.'])
})
