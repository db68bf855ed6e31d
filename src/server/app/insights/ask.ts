import { hasMuch } from '#server/store/much.ts'
import { sideThreadOf } from '#server/store/side-thread.ts'
import type { World } from '#server/app/world.ts'
import { answer, type Question, type Told, type Wanted } from './questions.ts'
import type { Asked } from './thread.ts'

/** The thread's program: beside this file, under the name that a bundle gives it as well. */
const program = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './insights-thread.js', import.meta.url)

/** Answers questions about facts: here where there are few, and else in a thread, where there is one. */
export function insightsOf({ db, now, terms }: World) {
  return {
    async ask<Q extends Question>(question: Q, project: string, ...wanted: Wanted<Q>): Promise<Told<Q>> {
      const source = { now: Date.parse(now()), rule: terms.insights.successRate }
      const thread = sideThreadOf(db)
      if (!thread || !(await hasMuch(db, project))) return answer(question, { ...source, db }, project, wanted)
      const asked: Asked<Q> = { question, source, project, wanted }
      return (await thread.ask(program, asked)) as Told<Q>
    },
  }
}
