import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from './open.ts'
import { nextPipelineNumber } from './pipelines.ts'
import { hasPipelines, insertProject, projectById, projectBySlug, setDefaultBranch } from './projects.ts'
import { deleteRef, putRef, refOf } from './refs.ts'
import type { Db } from './schema.ts'

const at = '2026-01-01T00:00:00.000Z'

async function withProject(work: (db: Db) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-kept-'))
  const db = await openStore(join(folder, 'store.db'), () => at)
  try {
    const organization = { id: 'o', provider: 'provider-a', name: 'acme', key: 'acme', created_at: at }
    await db.insertInto('organizations').values(organization).execute()
    await db.transaction().execute((tx) =>
      insertProject(tx, {
        id: 'p',
        organization_id: 'o',
        provider: 'provider-a',
        organization: 'acme',
        name: 'web',
        key: 'web',
        slug: 'provider-a/acme/web',
        default_branch: 'main',
        url: null,
        public: 0,
        last_pipeline: 0,
        last_job: 0,
        settings: '{}',
        created_at: at,
      }),
    )
    await work(db)
  } finally {
    await db.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

const branchOf = async (db: Db) => (await projectBySlug(db, 'provider-a', 'acme', 'web'))?.default_branch

test('a row that is read again is the one that was kept', () =>
  withProject(async (db) => {
    assert.equal(await projectById(db, { id: 'p' }), await projectById(db, { id: 'p' }))
  }))

test('whoever reads after a change sees it, and what was taken back was never seen', () =>
  withProject(async (db) => {
    assert.equal(await branchOf(db), 'main')
    await db.transaction().execute(async (tx) => {
      await setDefaultBranch(tx, 'p', 'trunk')
      assert.equal(await branchOf(db), 'main', 'not committed yet')
    })
    assert.equal(await branchOf(db), 'trunk')
    const failed = db.transaction().execute(async (tx) => {
      await setDefaultBranch(tx, 'p', 'lost')
      assert.equal(await branchOf(db), 'trunk')
      throw new Error('taken back')
    })
    await assert.rejects(failed, /taken back/)
    assert.equal(await branchOf(db), 'trunk')
    await db.deleteFrom('projects').where('id', '=', 'p').execute()
    assert.equal(await branchOf(db), undefined)
  }))

test('a ref that moves or goes is never remembered', () =>
  withProject(async (db) => {
    const move = (revision: string) =>
      db.transaction().execute((tx) => putRef(tx, 'p', 'refs/heads/main', revision, at))
    assert.equal(await refOf(db, 'p', 'refs/heads/main'), undefined)
    await move('a')
    assert.equal(await refOf(db, 'p', 'refs/heads/main'), 'a')
    await move('b')
    assert.equal(await refOf(db, 'p', 'refs/heads/main'), 'b')
    await db.transaction().execute((tx) => deleteRef(tx, 'p', 'refs/heads/main'))
    assert.equal(await refOf(db, 'p', 'refs/heads/main'), undefined)
  }))

test('taking a number leaves kept rows alone', () =>
  withProject(async (db) => {
    const before = await projectById(db, { id: 'p' })
    assert.equal(await hasPipelines(db, 'p'), false)
    assert.equal(await db.transaction().execute((tx) => nextPipelineNumber(tx, 'p')), 1)
    assert.equal(await projectById(db, { id: 'p' }), before)
    assert.equal(await hasPipelines(db, 'p'), true)
  }))
