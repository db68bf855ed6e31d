import { isRevision } from '#core/refs.ts'
import type { Tx } from '#server/store/schema.ts'
import { insertRevision, revisionOf, type RevisionRow } from '#server/store/refs.ts'
import { keepText } from '#server/store/texts.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Commit } from '#server/vcs/revision.ts'
import { remember } from './remember.ts'
import { revisionIn } from './sources.ts'
import type { World } from './world.ts'

/** What one commit says of itself, and the configuration in it. */
export interface Revision {
  readonly revision: string
  readonly commit: Commit
  readonly configPath: string | null
  readonly configHash: string | null
}

/** What is known of a commit never changes, so it is read once, kept in the database, and remembered here. */
export function revisions(world: World) {
  const known = remember<string, Revision>(1_000)
  const underway = new Map<string, Promise<Revision>>()

  async function look(project: ProjectRow, revision: string): Promise<Revision> {
    const row = await revisionOf(world.db, { project: project.id, revision })
    return row ? toRevision(row) : read(world, project, revision)
  }

  return async function find(project: ProjectRow, revision: string): Promise<Revision> {
    const key = `${project.id}:${revision}`
    const seen = known.get(key)
    if (seen) return seen
    // Who asks while somebody reads it waits for the same answer.
    const asked = underway.get(key) ?? look(project, revision).finally(() => underway.delete(key))
    underway.set(key, asked)
    return known.set(key, await asked)
  }
}

export type Revisions = ReturnType<typeof revisions>

async function read(world: World, project: ProjectRow, revision: string): Promise<Revision> {
  if (!isRevision(revision)) throw new Error(`Cannot read revision ${revision}: it is none`)
  const { commit, config } = await revisionIn(world, project, revision)
  const row = await world.db.transaction().execute(async (tx: Tx): Promise<RevisionRow> => {
    const made = {
      project_id: project.id,
      revision,
      details: JSON.stringify(commit),
      config_path: config?.path ?? null,
      config_hash: config ? await keepText(tx, config.text) : null,
      created_at: world.now(),
    }
    await insertRevision(tx, made)
    return made
  })
  return toRevision(row)
}

const toRevision = (row: RevisionRow): Revision => ({
  revision: row.revision,
  commit: JSON.parse(row.details) as Commit,
  configPath: row.config_path,
  configHash: row.config_hash,
})
