import { parentPort, workerData } from 'node:worker_threads'
import type { SideAnswer, SideQuestion } from '#server/app/beside.ts'
import { poster } from './post.ts'
import type { Posted, PostPlace, Round } from './posting.ts'

/*
 * The program of the thread that makes requests to receivers.
 */

const { hosts, connections, stopped } = workerData as PostPlace
const http = poster(hosts, connections)

async function make({ posts, forMs }: Round): Promise<readonly Posted[]> {
  const made: Posted[] = []
  const began = performance.now()
  for (const post of posts) {
    const afterMs = performance.now() - began
    if (afterMs > forMs || Atomics.load(stopped, 0) === 1) break
    const answer = await http.send(post)
    made.push({ afterMs, tookMs: performance.now() - began - afterMs, answer })
    // Who does not answer is told of at once: others must not wait with it.
    if (!('status' in answer)) break
  }
  return made
}

parentPort?.on('message', ({ id, question }: SideQuestion) => {
  const tell = (told: SideAnswer) => parentPort?.postMessage(told)
  make(question as Round).then(
    (value) => tell({ id, value }),
    (error: unknown) => tell({ id, problem: String(error) }),
  )
})
