import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rings } from './rings.ts'
import { objection, readRooms } from './rooms.ts'
import { fileOf, importsOf, isTest, sources } from './sources.ts'

const rooms = readRooms()
const all = sources('src/**/*.{ts,tsx}', 'bin/**/*.ts')
const inRooms = all.filter(({ path }) => path.startsWith('src/'))

describe('the architecture', () => {
  test('is told by a table of rooms', () => {
    assert.deepEqual(
      rooms.filter(({ mayImport }) => mayImport.some((name) => !rooms.some((room) => room.name === name))),
      [],
    )
    assert.ok(rooms.length >= 10 && inRooms.length > 0)
  })

  test('has no ring of rooms', () => {
    assert.deepEqual(rings(new Map(rooms.map(({ name, mayImport }) => [name, mayImport]))), [])
  })

  test('lets every room import only what its line allows', () => {
    const strays = inRooms.flatMap((source) =>
      source.imports
        .map((imported) => ({ imported, why: objection(rooms, source, imported) }))
        .filter(({ why }) => why !== undefined)
        .map(({ imported, why }) => `${source.path} imports ${imported}: ${why}`),
    )
    assert.deepEqual(strays, [])
  })

  test('has no ring of files', () => {
    const edges = all.map(({ path, imports }) => [path, imports.flatMap((name) => fileOf(path, name) ?? [])] as const)
    assert.deepEqual(rings(new Map(edges)), [])
  })

  test('keeps the rules pure: neither clock nor dice nor waiting in core and config', () => {
    const world =
      /\bawait\b|\basync\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\bsetTimeout\b|\bprocess\./
    const touched = inRooms
      .filter(({ path }) => /^src\/(core|config)\//.test(path) && !isTest(path))
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .split('\n')
          .filter((line) => world.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      )
    assert.deepEqual(touched, [])
  })
})

describe('the reader of the architecture', () => {
  const two = [
    { name: 'kit', mayImport: [], packages: [] },
    { name: 'server/app', mayImport: ['kit'], packages: ['node:', 'pg'] },
  ]
  const objections = (path: string, ...imports: readonly string[]) =>
    imports.map((name) => objection(two, { path }, name))

  test('lets pass what is listed', () => {
    const passed = objections(
      'src/server/app/a.ts',
      '#kit/brand.ts',
      './b.ts',
      '#server/app/b.ts',
      'node:fs',
      'pg',
      'pg/lib',
    )
    assert.deepEqual(
      passed,
      Array.from({ length: 6 }, () => undefined),
    )
  })

  test('objects to another room, another package, and climbing', () => {
    assert.deepEqual(objections('src/kit/a.ts', '#server/app/b.ts', 'pg', 'node:fs', '../kit/b.ts'), [
      'another room that is not listed',
      'a package that is not listed',
      'a package that is not listed',
      'climbs out of its folder',
    ])
    assert.deepEqual(objections('src/attic/a.ts', './b.ts'), ['stands in no room'])
  })

  test('sees imports of every form', () => {
    const text = `import a from 'a'\nimport {\n  type B,\n} from 'b'\nimport 'c'\nexport { d } from 'd'\nconst e = await import('e')\ntype F = import('f').F`
    assert.deepEqual([...importsOf(text)].sort(), ['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('finds a ring, and none where ways only meet again', () => {
    assert.deepEqual(
      rings(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
      [],
    )
    assert.deepEqual(
      rings(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
      [['b', 'c', 'b']],
    )
  })
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
