/** Something that comes after other things of the same list. */
export interface Dependent {
  readonly id: string
  readonly dependencies: readonly string[]
}

/** Lays jobs out in columns: each in the first column that comes after everything it needs. */
export function columnsOf<T extends Dependent>(jobs: readonly T[]): readonly (readonly T[])[] {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const depths = new Map<string, number>()
  const depthOf = (job: T): number => {
    const known = depths.get(job.id)
    if (known !== undefined) return known
    // Stands while its needs are measured, so that a ring, which no server should send, ends.
    depths.set(job.id, 0)
    const needs = job.dependencies.flatMap((id) => byId.get(id) ?? [])
    const depth = needs.reduce((most, need) => Math.max(most, depthOf(need) + 1), 0)
    depths.set(job.id, depth)
    return depth
  }
  const columns: T[][] = []
  for (const job of jobs) (columns[depthOf(job)] ??= []).push(job)
  return Array.from(columns, (column) => column ?? [])
}
