import { parentPort, workerData } from 'node:worker_threads'
import type { SideAnswer, SidePlace, SideQuestion } from '#server/store/side-thread.ts'
import { openSqliteReader } from '#server/store/sqlite.ts'
import { answer, type Question, type Wanted } from './questions.ts'
import type { Source } from './source.ts'

/** A question about the facts of a project, as it is sent here. */
export interface Asked<Q extends Question> {
  readonly question: Q
  readonly source: Omit<Source, 'db'>
  readonly project: string
  readonly wanted: Wanted<Q>
}

/*
 * The program of the thread that reads facts beside the server: it has a connection of its own, so that nobody else waits for it.
 */

const db = openSqliteReader((workerData as SidePlace).path)

parentPort?.on('message', ({ id, question: asked }: SideQuestion) => {
  const { question, source, project, wanted } = asked as Asked<Question>
  const tell = (told: SideAnswer) => parentPort?.postMessage(told)
  answer(question, { ...source, db }, project, wanted).then(
    (value) => tell({ id, value }),
    (error: unknown) => tell({ id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
