import { conditionHolds } from '#config/condition-text.ts'
import type { DenialOf } from '#core/new-workflow.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import { type ContextRow, contextsNamed, type RestrictionRow, restrictionsOf } from '#server/store/contexts.ts'
import { roleOf } from '#server/store/people.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Db } from '#server/store/schema.ts'
import { pipelineValues } from './pipeline-values.ts'
import { rightsOf } from './trust.ts'
import type { World } from './world.ts'

/** For what, and in whose name, contexts are wanted. Nobody's name: the service itself. */
export interface Use {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly actor: string | null
}

/**
 * Says of any job which of its contexts it may not use, and why. A context that does not exist opens nothing; of its restrictions
 * one to projects and one to people must be met where there are such, and every condition must hold.
 */
export async function denials(world: World, db: Db, use: Use, wanted: readonly string[]): Promise<DenialOf> {
  const distinct = [...new Set(wanted)]
  if (distinct.length === 0) return () => undefined
  if (!rightsOf(use.pipeline).secrets)
    return ({ contexts: [first] }) =>
      first === undefined
        ? undefined
        : `Cannot use context ${first} as the code must be of the project itself: it is of a fork`
  const { organization_id: organization, organization: name } = use.project
  const rows = await contextsNamed(db, organization, distinct)
  const reasons = new Map(
    distinct.map((wish) => [wish, `Cannot use context ${wish}: organization ${name} has none of that name`]),
  )
  const restrictions =
    rows.length === 0
      ? []
      : await restrictionsOf(
          db,
          rows.map(({ id }) => id),
        )
  const isMember = restrictions.some(({ type }) => type === 'group') && (await belongs(db, use))
  for (const row of rows) {
    const own = restrictions.filter(({ context_id }) => context_id === row.id)
    const reason = objection(world, use, isMember, row, own)
    if (reason === undefined) reasons.delete(row.name)
    else reasons.set(row.name, reason)
  }
  return ({ contexts }) => {
    const denied = contexts.find((context) => reasons.has(context))
    return denied === undefined ? undefined : reasons.get(denied)
  }
}

/** Viewers look on: what is open to all members is not open to them. */
async function belongs(db: Db, { project, actor }: Use): Promise<boolean> {
  if (actor === null) return false
  const role = await roleOf(db, { user: actor, organization: project.organization_id })
  return role?.role === 'owner' || role?.role === 'member'
}

function objection(
  world: World,
  { project, pipeline, actor }: Use,
  isMember: boolean,
  { name }: ContextRow,
  restrictions: readonly RestrictionRow[],
): string | undefined {
  const projects = restrictions.filter(({ type }) => type === 'project')
  if (projects.length > 0 && !projects.some(({ value }) => value === project.id))
    return `Cannot use context ${name} as it is limited to certain projects: ${project.name} is none of them`
  const people = restrictions.filter(({ type }) => type === 'user' || type === 'group')
  const admits = ({ type, value }: RestrictionRow) => (type === 'user' ? value === actor : isMember)
  if (people.length > 0 && !people.some(admits))
    return `Cannot use context ${name} as it is limited to certain people: whoever asks is none of them`
  const parameters = JSON.parse(pipeline.parameters) as Readonly<Record<string, ParameterValue>>
  const holds = ({ type, value }: RestrictionRow) =>
    type !== 'expression' || conditionHolds(value, pipelineValues(world, project, pipeline), parameters)
  return restrictions.every(holds) ? undefined : `Cannot use context ${name} as its condition must hold: it does not`
}
