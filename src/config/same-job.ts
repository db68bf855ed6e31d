import type { ExpandedJob } from './expanded-job.ts'
import type { Invocation } from './workflows/invocation.ts'
import type { Likeness } from './workflows/unique-names.ts'
import type { Node } from './yaml/node.ts'
import { isSame } from './yaml/same.ts'

/** Tells whether two invocations run the very same thing, so that one compiled job serves both. */
export function likenessOfJobs(): Likeness {
  const hashes = new Map<ExpandedJob, number>()
  const hashOf = (job: ExpandedJob): number => {
    const known =
      hashes.get(job) ??
      job.steps.reduce((hash, { name, body }) => hashNode(hashText(hash, name), body), hashNode(0, job.map))
    hashes.set(job, known)
    return known
  }
  return {
    signature: ({ kind, key, job }) => `${kind} ${key ?? ''} ${job ? hashOf(job) : ''}`,
    isSame: isSameJob,
  }
}

function isSameJob(a: Invocation, b: Invocation): boolean {
  if (a.kind !== b.kind || a.key !== b.key) return false
  return a.job === b.job || (a.job !== undefined && b.job !== undefined && isSameBody(a.job, b.job))
}

function isSameBody(a: ExpandedJob, b: ExpandedJob): boolean {
  if (a.steps.length !== b.steps.length || !isSame(a.map, b.map)) return false
  return a.steps.every(({ name, body }, i) => name === b.steps[i]!.name && isSame(body, b.steps[i]!.body))
}

function hashNode(hash: number, node: Node): number {
  switch (node.kind) {
    case 'scalar':
      return hashText(hash, node.text)
    case 'list':
      return node.items.reduce(hashNode, hash + 1)
    case 'map': {
      // Two mappings are the same in any order, so their keys must add up to the same.
      let sum = 0
      for (const [key, { value }] of node.entries) sum = (sum + hashNode(hashText(0, key), value)) | 0
      return (Math.imul(hash, 31) + sum) | 0
    }
  }
}

function hashText(start: number, text: string): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return (Math.imul(hash, 31) + text.length) | 0
}
