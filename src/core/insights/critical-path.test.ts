import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { criticalPath, type RanJob, type WaitedFor } from './critical-path.ts'

/** `test 20 25 60 build`: when it could begin, began and ended, and what it needs; nobody noted when `-` could begin. */
function job(line: string, waitedFor: WaitedFor = 'agent'): RanJob {
  const [name = '', ready = '', started, stopped, ...needs] = line.split(' ')
  const at = { ready: ready === '-' ? undefined : Number(ready), started: Number(started), stopped: Number(stopped) }
  return { id: name, name, needs, waitedFor, ...at }
}

const told = (jobs: readonly RanJob[], begin = 0) =>
  criticalPath(jobs, begin).map(({ name, waited, ran, worth }) => `${name} waited ${waited} ran ${ran} worth ${worth}`)

test('the critical path is the chain that ended last, and tells what each job is worth', () => {
  const jobs = ['build 0 5 20', 'lint 0 0 12', 'test 20 20 60 build', 'deploy 60 70 80 test lint'].map((line) =>
    job(line),
  )
  // Without build: test alone is 40, then deploy 20: 60 of 80. Without test: build 20, deploy 20. Without deploy: 60.
  assert.deepEqual(told(jobs), [
    'build waited 5 ran 15 worth 20',
    'test waited 0 ran 40 worth 40',
    'deploy waited 10 ran 10 worth 20',
  ])
  assert.deepEqual(told([]), [])
})

test('a job is worth no more than what another way takes', () => {
  const jobs = ['slow 0 0 50', 'other 0 0 45', 'last 50 50 60 slow other'].map((line) => job(line))
  // Without slow the other way, 45 and 10, takes 55 of 60.
  assert.deepEqual(told(jobs), ['slow waited 0 ran 50 worth 5', 'last waited 0 ran 10 worth 10'])
})

test('the way goes on through an approval: what a person took is shown, and is no job to make faster', () => {
  const jobs = [job('build 0 0 20'), job('approve - 500 500 build', 'person'), job('deploy 500 510 530 approve')]
  // 20 and 480 and 30 are 530; without build 510, without deploy 500.
  assert.deepEqual(told(jobs), [
    'build waited 0 ran 20 worth 20',
    'approve waited 480 ran 0 worth 0',
    'deploy waited 10 ran 20 worth 30',
  ])
})

test('an approval that needs nothing waited since the workflow began, and so did one whose needs ran elsewhere', () => {
  for (const need of ['', ' elsewhere'])
    assert.deepEqual(told([job(`approve - 130 130${need}`, 'person'), job('deploy 130 130 140 approve')], 100), [
      'approve waited 30 ran 0 worth 0',
      'deploy waited 0 ran 10 worth 10',
    ])
})

test('waiting for a serial group is nothing that a job could make shorter', () => {
  const [lock] = criticalPath([job('lock 0 40 40', 'serial-group'), job('deploy 40 40 50 lock')], 0)
  assert.deepEqual([lock?.waitedFor, lock?.waited, lock?.worth], ['serial-group', 40, 0])
})

test('an attempt that was lost is on the way before the one that repeats it', () => {
  assert.deepEqual(told([job('lost 0 0 30'), job('again 30 35 50 lost')]), [
    'lost waited 0 ran 30 worth 30',
    'again waited 5 ran 15 worth 20',
  ])
})

test('of any workflow, what is on the way adds up to how long it took, and no job is worth more than it took', () => {
  const shapes = fc.array(
    fc.record({
      waited: fc.nat(50),
      ran: fc.nat(100),
      needs: fc.array(fc.nat(20), { maxLength: 3 }),
      person: fc.boolean(),
    }),
    { minLength: 1, maxLength: 20 },
  )
  fc.assert(
    fc.property(shapes, (all) => {
      const jobs: RanJob[] = []
      for (const [i, { waited, ran, needs, person }] of all.entries()) {
        // Only what stands before it: needs do not go round.
        const before = [...new Set(needs.map((need) => need % (i + 1)).filter((need) => need < i))]
        const ready = before.reduce((last, need) => Math.max(last, jobs[need]?.stopped ?? 0), 1_000)
        const started = ready + waited
        jobs.push({
          id: `${i}`,
          name: `${i}`,
          needs: before.map(String),
          waitedFor: person ? 'person' : 'agent',
          ready: person ? undefined : ready,
          started,
          stopped: started + (person ? 0 : ran),
        })
      }
      const path = criticalPath(jobs, 1_000)
      const whole = jobs.reduce((last, { stopped }) => Math.max(last, stopped), 0) - 1_000
      assert.equal(
        path.reduce((sum, { waited, ran }) => sum + waited + ran, 0),
        whole,
      )
      for (const { waited, ran, worth, waitedFor } of path)
        assert.ok(worth >= 0 && worth <= waited + ran && (waitedFor === 'agent' || worth === 0))
    }),
    { numRuns: 300 },
  )
})
