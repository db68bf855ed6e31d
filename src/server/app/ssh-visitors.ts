import type { ProjectRow } from '#server/store/projects.ts'
import { insertSshUser, keysThatOpen, sshUsersOf } from '#server/store/ssh-users.ts'
import type { JobRow } from '#server/store/workflows.ts'
import type { User } from './callers.ts'
import { checkSsh } from './project-settings.ts'
import type { World } from './world.ts'

/** Who may come into a job, and the public keys that they have now. */
export async function sshVisitors(world: World, job: string) {
  const [users, keys] = await Promise.all([sshUsersOf(world.db, { job }), keysThatOpen(world.db, { job })])
  return { users: users.map(({ login }) => login), keys }
}

/** Lets a user into a build, from now on and with every key they have; of use where it runs with SSH. */
export async function addSshUser(world: World, user: User, project: ProjectRow, job: JobRow): Promise<void> {
  checkSsh(project)
  await world.db.transaction().execute((tx) => insertSshUser(tx, job.id, user.id, world.now()))
}
