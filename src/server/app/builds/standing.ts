import type { ProjectRow } from '#server/store/projects.ts'
import { newestBy, newestOfBranch, newestOfBranchBy } from '#server/store/branch-builds.ts'
import type { World } from '#server/app/world.ts'

/** Whether a branch is well, in one word, for badges and for programs that poll. */
export interface Standing {
  /** How its last ended workflow ended; nothing where none has. */
  readonly last: 'success' | 'failed' | 'canceled' | undefined
  readonly isRunning: boolean
  readonly build: number | undefined
  readonly at: string | undefined
}

/** Among so many of the newest builds of a branch the last ended workflow is found. */
const looked = 100

const words: Readonly<Record<string, Standing['last']>> = {
  success: 'success',
  failed: 'failed',
  error: 'failed',
  unauthorized: 'failed',
  canceled: 'canceled',
}

/** How a branch of a project stands; the default branch unless another is named. */
export async function standingOf(
  { db }: World,
  project: ProjectRow,
  branch = project.default_branch,
): Promise<Standing> {
  const at = { project: project.id, branch }
  const builds = await newestOfBranch(db, { ...at, most: looked })
  const ended = builds.find((build) => build.workflow_stopped_at !== null && words[build.workflow_status] !== undefined)
  const running = await Promise.all(
    ['running', 'queued'].map((status) => newestOfBranchBy(db, { ...at, status, most: 1 })),
  )
  return {
    last: ended && words[ended.workflow_status],
    isRunning: running.flat().length > 0,
    build: ended?.number ?? undefined,
    at: ended?.workflow_stopped_at ?? undefined,
  }
}

/** Whether anything of a project is being built, on whatever branch. */
export async function isBuilding({ db }: World, project: ProjectRow): Promise<boolean> {
  const running = await Promise.all(
    ['running', 'queued'].map((status) => newestBy(db, { project: project.id, status, most: 1 })),
  )
  return running.flat().length > 0
}
