import type { DenialOf } from '#core/new-workflow.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Db } from '#server/store/schema.ts'
import { contextsNamed } from '#server/store/secrets.ts'

/** Says of any job which of its contexts it may not use, and why: a context that does not exist opens nothing. */
export async function denials(db: Db, project: ProjectRow, wanted: readonly string[]): Promise<DenialOf> {
  const distinct = [...new Set(wanted)]
  const rows = distinct.length === 0 ? [] : await contextsNamed(db, project.organization_id, distinct)
  const existing = new Set(rows.map((row) => row.name))
  return ({ contexts }) => {
    const missing = contexts.find((name) => !existing.has(name))
    return missing === undefined
      ? undefined
      : `Cannot use context ${missing}: organization ${project.organization} has none of that name`
  }
}
