import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SideAnswer, SidePlace, SideQuestion } from './side-thread.ts'

/*
 * The program of the thread that brings the journal of a SQLite file into the file: it waits for the disk, and nobody else does.
 */

const database = new DatabaseSync((workerData as SidePlace).path, { timeout: 5_000 })
database.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -200')

parentPort?.on('message', ({ id }: SideQuestion) => {
  // Passive: it takes what it can get without making a reader or the writer wait.
  database.exec('pragma wal_checkpoint(passive)')
  const done: SideAnswer = { id, value: undefined }
  parentPort?.postMessage(done)
})
