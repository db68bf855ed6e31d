import { useQueries } from '@tanstack/react-query'
import { readLines } from '#contract/rh/log.ts'
import { callRh } from '#web/api/calls.ts'
import type { Line } from './lines.ts'
import type { RowWindow } from './row-window.ts'
import { logOf } from './some-lines.ts'
import type { LogName } from './use-tail.ts'

const chunkLines = 200

/** The lines of a log that come before what the page has of its end: those that are looked at, and few others, are loaded. */
export function useChunks(
  { job, node, step }: LogName,
  rows: RowWindow,
  before: number,
): (number: number) => Line | undefined {
  const first = Math.floor(rows.from / chunkLines)
  const last = Math.floor((Math.min(rows.to, before) - 1) / chunkLines)
  const wanted = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  const chunks = useQueries({
    queries: wanted.map((chunk) => ({
      queryKey: ['lines', job, node, step, chunk],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const query = { from: chunk * chunkLines + 1, count: chunkLines, node }
        return logOf(await callRh(readLines, { params: { id: job, index: step }, query }, { signal })).lines
      },
      // What was written stays, and what nobody looks at any more is let go.
      staleTime: Infinity,
      gcTime: 20_000,
    })),
  })
  return (number) => {
    const at = wanted.indexOf(Math.floor((number - 1) / chunkLines))
    return chunks[at]?.data?.[(number - 1) % chunkLines]
  }
}
