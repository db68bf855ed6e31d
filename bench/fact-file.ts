import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '#server/store/open.ts'
import { ada, givenProject } from '#test/given.ts'
import { type Past, writeFacts } from './fact-history.ts'
import { worldIn } from './insight-world.ts'

/** A database with a long past, and how long ago that ended. */
export interface FactFile {
  readonly folder: string
  readonly path: string
  readonly behind: number
}

/** The database with that past, made once and kept among temporary files: writing it takes minutes. */
export async function factFile(past: Past): Promise<FactFile> {
  const folder = join(tmpdir(), `roundhouse-facts-${Object.values(past).join('-')}`)
  const path = join(folder, 'roundhouse.db')
  if (!existsSync(path)) {
    const began = performance.now()
    const making = `${folder}.new`
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making)
    const file = join(making, 'roundhouse.db')
    const db = await openStore(file, () => new Date().toISOString())
    const it = worldIn(making, db)
    const { organization_id: organization } = await givenProject(it)
    await ada(it)
    await db.destroy()
    writeFacts(file, organization, past, Date.now())
    renameSync(making, folder)
    console.error(`a past was written in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  return { folder, path, behind: Date.now() - endOf(path) }
}

function endOf(path: string): number {
  using db = new DatabaseSync(path)
  const last = db.prepare(
    'select max(started) as at from run_facts where project_id = (select min(project_id) from run_facts)',
  )
  return Number(last.get()?.['at'])
}
