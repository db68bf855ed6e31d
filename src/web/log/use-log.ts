import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { addressOf } from '#contract/client.ts'
import { followLog } from '#contract/rh/log.ts'
import { rhBase } from '#web/api/calls.ts'
import { listen } from '#web/api/event-stream.ts'
import { jobQuery } from '#web/read/queries.ts'
import { useVisible } from '#web/read/use-visible.ts'
import { emptyLog, grow, type Log } from './lines.ts'
import { pieceReader } from './log-piece.ts'

/** `live`: more may come; `lost`: trying to get the connection back; `ended`: this is all. */
export type LogState = 'loading' | 'live' | 'lost' | 'ended'

/** Follows the log of a step from its beginning to its end. It must be another component for another step. */
export function useLog(job: string, step: number): { readonly log: Log; readonly state: LogState } {
  const visible = useVisible()
  const queries = useQueryClient()
  const [log, setLog] = useState(emptyLog)
  const [state, setState] = useState<LogState>('loading')
  // What has come, kept apart from what is shown: the screen is drawn 60 times a second, events may come more often.
  const got = useRef({ offset: 0, text: '', ended: false, read: pieceReader() })

  useEffect(() => {
    if (!visible || got.current.ended) return
    let frame: number | undefined
    const show = () => {
      frame = undefined
      const { text } = got.current
      got.current.text = ''
      if (text !== '') setLog((before) => grow(before, text))
    }
    const stop = listen({
      address: () =>
        rhBase + addressOf(followLog, { params: { id: job, index: step }, query: { from: got.current.offset } }),
      onOpen: () => setState('live'),
      onLost: () => setState('lost'),
      events: {
        log({ data, lastEventId }) {
          const offset = Number(lastEventId)
          if (offset <= got.current.offset) return
          got.current.offset = offset
          got.current.text += got.current.read(data)
          frame ??= requestAnimationFrame(show)
        },
        end() {
          stop()
          got.current.ended = true
          setState('ended')
          // Then the step has ended too, and how can be read.
          void queries.invalidateQueries({ queryKey: jobQuery(job).queryKey })
        },
      },
    })
    return () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      show()
    }
  }, [job, step, visible, queries])

  return { log, state }
}
