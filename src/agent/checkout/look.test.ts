import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '#agent/testing/world.ts'
import { lookHere, lookScript } from './look.ts'

const repository = (folder: string) => mkdirSync(join(folder, '.git/objects'), { recursive: true })

/** What may lie where a job's code should go, and what is found there. */
const cases: readonly (readonly [what: string, at: string, lay: (folder: string) => void])[] = [
  ['nothing', 'nothing', () => {}],
  ['a file', 'files', (folder) => writeFileSync(join(folder, 'file'), '')],
  ['a repository that was cut short before its last file', 'nothing', repository],
  [
    'a repository that was cut short in its last file',
    'nothing',
    (folder) => {
      repository(folder)
      writeFileSync(join(folder, '.git/HEAD'), '')
    },
  ],
  [
    'a repository',
    'repository',
    (folder) => {
      repository(folder)
      writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
    },
  ],
  [
    'a file that names a repository elsewhere',
    'repository',
    (folder) => writeFileSync(join(folder, '.git'), 'gitdir: /elsewhere\n'),
  ],
]

for (const [what, at, lay] of cases)
  test(`${what} where the code should go is found as ${at}, from outside and from inside`, () => {
    using folder = tempFolder()
    const place = join(folder.path, 'place')
    const answer = join(folder.path, 'answer')
    mkdirSync(place)
    lay(place)
    assert.deepEqual(lookHere(place), { at, git: true })
    const env = { PATH: process.env['PATH'], CHECKOUT_DIRECTORY: place, CHECKOUT_ANSWER: answer }
    execFileSync('/bin/sh', ['-eu', '-c', lookScript], { env })
    assert.equal(readFileSync(answer, 'utf8'), `${at} yes\n`)
  })
