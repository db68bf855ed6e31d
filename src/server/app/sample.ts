import type { World } from './world.ts'

/** Whether nothing has been built here yet. */
export async function isEmpty({ db }: World): Promise<boolean> {
  return (await db.selectFrom('projects').select('id').limit(1).executeTakeFirst()) === undefined
}
