import { statement } from './statement.ts'

/** Counts what became of a question for a cache. */
export const countCacheUse = statement((db, at: { project: string; day: number; hits: number; misses: number }) =>
  db
    .insertInto('cache_uses')
    .values({ project_id: at.project, day: at.day, hits: at.hits, misses: at.misses })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'day']).doUpdateSet((eb) => ({
        hits: eb('cache_uses.hits', '+', eb.ref('excluded.hits')),
        misses: eb('cache_uses.misses', '+', eb.ref('excluded.misses')),
      })),
    ),
)

/** The days since then on which jobs asked for caches. */
export const cacheUsesSince = statement((db, at: { project: string; from: number }) =>
  db
    .selectFrom('cache_uses')
    .select(['day', 'hits', 'misses'])
    .where('project_id', '=', at.project)
    .where('day', '>=', at.from)
    .orderBy('day'),
)
