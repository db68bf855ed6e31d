import { isMeant, type Preset } from '#core/presets.ts'
import { formatRef } from '#core/refs.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { branchesInPulls } from '#server/store/pulls.ts'
import { refOf } from '#server/store/refs.ts'
import type { Tx } from '#server/store/schema.ts'
import type { pushTriggersOf } from '#server/store/triggers.ts'
import type { MovedRef } from './refs.ts'
import type { Wanted } from './trigger.ts'
import { targetOf } from './triggers.ts'

type PushTrigger = Awaited<ReturnType<typeof pushTriggersOf>>[number]

/** What a pushed ref runs beside the usual definition, in the transaction that takes note of it. */
export async function wantedByTriggers(
  tx: Tx,
  project: ProjectRow,
  triggers: readonly PushTrigger[],
  ref: MovedRef,
  usual: Wanted,
): Promise<readonly Wanted[]> {
  const inPulls = triggers.some(({ preset }) => preset === 'only-build-prs')
    ? await branchesInPulls(tx, project.id)
    : []
  const surroundings = { defaultBranch: project.default_branch, branchesInPulls: new Set(inPulls) }
  const wanted: Wanted[] = []
  for (const trigger of triggers) {
    if (!isMeant(trigger.preset as Preset, ref, surroundings)) continue
    const built = await refMeant(tx, project, trigger.checkout_ref)
    const config = await refMeant(tx, project, trigger.config_ref)
    // A trigger that names what is not there has nothing to run.
    if (built === null || config === null) continue
    const source = { path: trigger.config_path, ...(config && { revision: config.revision, ref: config.name }) }
    wanted.push({ ...usual, ...built?.target, options: { source }, definition: trigger.definition_id })
  }
  return wanted
}

/** Nothing named: what was pushed. Null: named, and not there. */
async function refMeant(tx: Tx, project: ProjectRow, named: string) {
  const { branch, tag } = targetOf(named)
  const name = tag ?? branch
  if (name === undefined) return undefined
  const revision = await refOf(tx, project.id, formatRef(tag === undefined ? 'branch' : 'tag', name))
  if (revision === undefined) return null
  const target = { revision, branch: branch ?? null, tag: tag ?? null, baseRevision: undefined }
  return { name, revision, target }
}
