import { branchNames, workflowNames } from '#server/store/fact-names.ts'
import type { Db } from '#server/store/schema.ts'
import { type OpenRun, readOpenRuns } from './read-runs.ts'
import type { Source } from './source.ts'

/** The names of the workflows of a project: those that ended once, and those that are running. */
export async function namesOf(
  db: Db,
  project: string,
  open: ReadonlyMap<string, readonly OpenRun[]>,
): Promise<readonly string[]> {
  return [...new Set([...(await workflowNames(db, project)), ...open.keys()])].toSorted()
}

/** More branches than this are not listed (§4.2). */
const mostBranches = 5_000

/** The branches on which workflows of a project have run, as long as runs are kept. */
export async function branchesIn(db: Db, project: string, workflows: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  const open = await readOpenRuns(db, project)
  for (const workflow of workflows) {
    for (const { branch } of open.get(workflow) ?? []) found.add(branch)
    for (const branch of await branchNames(db, { project, workflow })) found.add(branch)
  }
  found.delete('')
  return [...found].toSorted().slice(0, mostBranches)
}

/** The branches of one workflow of a project, or of all. */
export async function allBranches({ db }: Source, project: string, workflow?: string): Promise<readonly string[]> {
  const names = workflow === undefined ? await namesOf(db, project, await readOpenRuns(db, project)) : [workflow]
  return branchesIn(db, project, names)
}
