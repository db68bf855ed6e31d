import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { ProjectRow } from './projects.ts'
import type { Db } from './schema.ts'

/** Whether a text has every one of these words in it, whatever the case; words are plain text, never patterns. */
function hasAll(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<SqlBool> {
  const has = words.map((word) => {
    const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`lower(${text}) like ${pattern} escape '\\'`
  })
  return sql<SqlBool>`(${sql.join(has, sql` and `)})`
}

/** Who looks: an administrator sees everything, others what belongs to their organizations. */
export interface Looker {
  readonly user: string
  readonly admin: boolean
}

/** A project as a search names it. */
export type FoundProject = Pick<
  ProjectRow,
  'id' | 'organization_id' | 'provider' | 'organization' | 'name' | 'slug' | 'named_as'
>

/** Projects whose names have all the words, in the order of their slugs. */
export async function projectsWith(
  db: Db,
  { user, admin }: Looker,
  words: readonly string[],
  after: string,
  most: number,
): Promise<FoundProject[]> {
  const name = sql`projects.organization || '/' || projects.name`
  let query = db
    .selectFrom('projects')
    .select(['projects.id', 'projects.organization_id', 'projects.provider', 'projects.organization'])
    .select(['projects.name', 'projects.slug', 'projects.named_as'])
    .where('projects.gone_at', 'is', null)
    .where('projects.slug', '>', after)
    .where(hasAll(name, words))
  if (!admin)
    query = query.where('projects.organization_id', 'in', (eb) =>
      eb.selectFrom('members').select('members.organization_id').where('members.user_id', '=', user),
    )
  return query.orderBy('projects.slug').limit(most).execute()
}

/** Branches of a project whose names have all the words, in the order of their names. */
export async function branchesWith(
  db: Db,
  at: {
    readonly project: string
    readonly words: readonly string[]
    readonly from: string
    /** Whether `from` itself was shown already. */
    readonly past: boolean
    readonly most: number
  },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('refs')
    .select('name')
    .where('project_id', '=', at.project)
    .where('name', at.past ? '>' : '>=', `refs/heads/${at.from}`)
    .where('name', '<', 'refs/heads0')
    .where(hasAll(sql.ref('name'), at.words))
    .orderBy('name')
    .limit(at.most)
    .execute()
  return rows.map(({ name }) => name.slice('refs/heads/'.length))
}

/** Pipelines with what their commits say, by their ids. */
export const pipelinesWithCommits = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('pipelines')
    .leftJoin('revisions', (join) =>
      join
        .onRef('revisions.project_id', '=', 'pipelines.project_id')
        .onRef('revisions.revision', '=', 'pipelines.revision'),
    )
    .select(['pipelines.id', 'pipelines.project_id', 'pipelines.number', 'pipelines.branch', 'pipelines.tag'])
    .select(['pipelines.revision', 'pipelines.created_at', 'revisions.details'])
    .where('pipelines.id', 'in', [...ids])
    .orderBy('pipelines.id', 'desc')
    .execute()

/** The jobs of some pipelines that brought test results, newest first. */
export const testedJobs = (db: Db, pipelines: readonly string[], most: number) =>
  db
    .selectFrom('workflows')
    .innerJoin('jobs', 'jobs.workflow_id', 'workflows.id')
    .innerJoin('test_reports', 'test_reports.job_id', 'jobs.id')
    .innerJoin('pipelines', 'pipelines.id', 'workflows.pipeline_id')
    .select(['jobs.id', 'jobs.workflow_id', 'jobs.project_id', 'pipelines.number'])
    .distinct()
    .where('workflows.pipeline_id', 'in', [...pipelines])
    .orderBy('jobs.id', 'desc')
    .limit(most)
    .execute()

/** Tests of a job whose names have all the words, among the first that it told. */
export async function testsWith(
  db: Db,
  at: { readonly job: string; readonly words: readonly string[]; readonly among: number; readonly most: number },
) {
  const text = sql`classname || ' ' || name || ' ' || file`
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('test_results')
        .select(['test_key', 'classname', 'name', 'file', 'recorded_at'])
        .where('job_id', '=', at.job)
        .limit(at.among)
        .as('told'),
    )
    .select(['test_key', 'classname', 'name', 'recorded_at'])
    .where(hasAll(text, at.words))
    .limit(at.most)
    .execute()
}
