import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf } from '#contract/client.ts'
import { followLog, type LogTime, numberLine, readLines } from '#contract/rh/log.ts'
import { callRh, rhBase } from '#web/api/calls.ts'
import { listen } from '#web/api/event-stream.ts'
import { useVisible } from '#web/read/use-visible.ts'
import { emptyLog, grow, type Log, numbered } from './lines.ts'
import { pieceReader } from './log-piece.ts'
import { logOf } from './some-lines.ts'

/** `live`: more may come; `lost`: trying to get the connection back; `ended`: this is all. */
export type LogState = 'loading' | 'live' | 'lost' | 'ended'

/** Which log is meant. */
export interface LogName {
  readonly job: string
  readonly node: number
  readonly step: number
}

const seedLines = 400
const again = 2_000

/** Text that was seen at one time. */
interface Piece {
  readonly at: number | undefined
  text: string
}

/**
 * The end of a log, as it grows: of a log of any size only this is loaded. A page that nobody sees stops listening,
 * and begins again with what is then the end.
 */
export function useTail({ job, node, step }: LogName): { readonly log: Log; readonly state: LogState } {
  const visible = useVisible()
  const queries = useQueryClient()
  const [log, setLog] = useState(emptyLog)
  const [state, setState] = useState<LogState>('loading')
  const ended = state === 'ended'

  useEffect(() => {
    if (!visible || ended) return
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop = () => {}

    const follow = (from: number) => {
      // What has come, apart from what is shown: the screen is drawn 60 times a second, events may come more often.
      const got = { offset: from, pieces: [] as Piece[], at: undefined as number | undefined, read: pieceReader() }
      let frame: number | undefined
      const show = () => {
        frame = undefined
        const { pieces } = got
        got.pieces = []
        if (pieces.length > 0) setLog((before) => pieces.reduce((log, { text, at }) => grow(log, text, at), before))
      }
      const end = listen({
        address: () =>
          rhBase + addressOf(followLog, { params: { id: job, index: step }, query: { from: got.offset, node } }),
        onOpen: () => setState('live'),
        onLost: () => setState('lost'),
        events: {
          log({ data, lastEventId }) {
            const offset = Number(lastEventId)
            if (offset <= got.offset) return
            got.offset = offset
            const text = got.read(data)
            const last = got.pieces.at(-1)
            if (last && last.at === got.at) last.text += text
            else got.pieces.push({ at: got.at, text })
            frame ??= requestAnimationFrame(show)
          },
          time({ data }) {
            got.at = Date.parse((JSON.parse(data) as LogTime).at)
          },
          end() {
            show()
            setState('ended')
            // Then the step has ended too, and how can be read.
            void queries.invalidateQueries({ queryKey: ['job', job] })
          },
        },
      })
      stop = () => {
        end()
        if (frame !== undefined) cancelAnimationFrame(frame)
      }
    }

    // Asked for apart from the rest, and for as long as the log is looked at: its end need not wait for the count.
    const number = async (byte: number) => {
      const input = { params: { id: job, index: step }, query: { byte, node } }
      const { line } = await queries.fetchQuery({
        queryKey: ['lines', 'number', job, node, step, byte],
        queryFn: () => callRh(numberLine, input),
        staleTime: Infinity,
        retry: 5,
      })
      setLog((before) => numbered(before, byte, line))
    }
    const begin = async () => {
      try {
        const query = { count: seedLines, node }
        const seed = await callRh(readLines, { params: { id: job, index: step }, query }, { signal: gone.signal })
        if (gone.signal.aborted) return
        setLog(logOf(seed))
        if (seed.ended) setState('ended')
        else follow(seed.offset)
        if (seed.first === null) number(seed.start).catch(() => undefined)
      } catch {
        if (gone.signal.aborted) return
        setState('lost')
        timer = setTimeout(() => void begin(), again)
      }
    }

    void begin()
    return () => {
      gone.abort()
      clearTimeout(timer)
      stop()
    }
  }, [job, node, step, visible, ended, queries])

  return { log, state }
}
