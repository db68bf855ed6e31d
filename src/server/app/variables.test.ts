import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { givenProject } from '#test/given.ts'
import { databases, smallWorld } from '#test/world.ts'
import { findVariable, listVariables, maskOf, removeVariable, setVariable } from './variables.ts'

describe('the mask of a value', () => {
  const table = [
    ['', 'xxxx'],
    ['a', 'xxxx'],
    ['ab', 'xxxxb'],
    ['abc', 'xxxxc'],
    ['abcd', 'xxxxcd'],
    ['abcdef', 'xxxxdef'],
    ['abcdefg', 'xxxxefg'],
    ['abcdefgh', 'xxxxefgh'],
    ['abcdefghijklmnop', 'xxxxmnop'],
  ] as const
  for (const [value, mask] of table)
    test(`of ${JSON.stringify(value)} is ${mask}`, () => assert.equal(maskOf(value), mask))
})

for (const database of databases) {
  describe(`variables on ${database}`, () => {
    test('a variable is shown masked, replaced by one of the same name, and gone when it is removed', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      await setVariable(it.world, project, 'B_TOKEN', 'first-value')
      await setVariable(it.world, project, 'B_TOKEN', 'other-thing')
      await setVariable(it.world, project, 'A', '')
      const shown = (await listVariables(it.world, project)).map(({ name, value }) => [name, value])
      assert.deepEqual(shown, [
        ['A', 'xxxx'],
        ['B_TOKEN', 'xxxxhing'],
      ])
      assert.deepEqual(
        [await removeVariable(it.world, project, 'B_TOKEN'), await removeVariable(it.world, project, 'B_TOKEN')],
        [true, false],
      )
      assert.equal(await findVariable(it.world, project, 'B_TOKEN'), undefined)
    })

    test('another project does not see it', async () => {
      await using it = await smallWorld(database)
      const [one, other] = [await givenProject(it, 'one'), await givenProject(it, 'other')]
      await setVariable(it.world, one, 'TOKEN', 'value')
      assert.deepEqual(
        [await findVariable(it.world, other, 'TOKEN'), await removeVariable(it.world, other, 'TOKEN')],
        [undefined, false],
      )
    })

    test('names that no shell could use, and values without end, are refused', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      for (const name of ['', '1A', 'A-B', 'A B', 'A=B', 'Ä', 'A\n', 'a'.repeat(301)]) {
        await assert.rejects(setVariable(it.world, project, name, 'x'), { code: 'invalid' })
      }
      await assert.rejects(setVariable(it.world, project, 'A', 'x'.repeat(32_769)), { code: 'invalid' })
      await setVariable(it.world, project, '_a1', 'x'.repeat(32_768))
    })
  })
}
