import { type MouseEvent, useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addressOf } from '#contract/client.ts'
import { readLog } from '#contract/rh/log.ts'
import { rhBase } from '#web/api/calls.ts'
import { countOf, openLine } from './lines.ts'
import { LogBar, useLogTimes } from './log-bar.tsx'
import { LogLine, rowHeight } from './log-line.tsx'
import { isNamed, type LogPlace, permalink, reach } from './permalink.ts'
import { useChunks } from './use-chunks.ts'
import { useScroll } from './use-scroll.ts'
import { type LogName, type LogState, useTail } from './use-tail.ts'
import { heightOf } from './viewport.ts'

interface Props {
  readonly log: LogName
  readonly name: string
  /** The lines that the address names, if they are of this log. */
  readonly place: LogPlace | undefined
  /** What is looked for: lines that hold it are marked. */
  readonly find: string
}

const states: Readonly<Record<LogState, string>> = {
  loading: 'Loading…',
  live: 'Following',
  lost: 'Connection lost, trying again',
  ended: '',
}

/**
 * The log of a step. Its end is loaded first, other lines when they are looked at, and only those that can be seen
 * are in the page: a big log is as quick as a small one.
 */
export function LogView({ log: name, name: title, place, find }: Props) {
  const { log, state } = useTail(name)
  const { search } = useLocation()
  const withTime = useLogTimes()
  const count = countOf(log)
  const isNumbered = log.uncounted === undefined
  const { ref, rows, shift, following, toEnd } = useScroll({
    count,
    row: rowHeight,
    // Where nobody knows the numbers, none can be gone to.
    line: isNumbered ? place?.line : undefined,
    numbered: isNumbered,
  })
  const chunk = useChunks(name, rows, isNumbered ? log.dropped : 0)
  const point = usePoint(name.step, place, search)
  const whole = rhBase + addressOf(readLog, { params: { id: name.job, index: name.step }, query: { node: name.node } })
  const wanted = find.toLowerCase()
  const numbers = Array.from({ length: rows.to - rows.from }, (_, at) => rows.from + at + 1)
  const open = openLine(log)
  const lineAt = (number: number) => {
    if (number <= log.dropped) return isNumbered ? chunk(number) : undefined
    return log.lines[number - log.dropped - 1] ?? open
  }
  return (
    <div className="log">
      <LogBar
        status={states[state]}
        count={isNumbered ? count : undefined}
        end={following ? undefined : state === 'ended' ? 'To the end' : 'Follow the end'}
        toEnd={toEnd}
        whole={whole}
        name={`step-${name.step}.log`}
      />
      {count === 0 && state === 'ended' && <p className="log-note">No output</p>}
      <div
        ref={ref}
        className={withTime ? 'log-scroll with-times' : 'log-scroll'}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={`Output of ${title}`}
      >
        <div className="log-lines" style={{ height: heightOf({ count, row: rowHeight, height: 0 }) }}>
          <div style={{ transform: `translateY(${shift}px)` }}>
            {numbers.map((number, slot) => (
              <LogLine
                // While the end is followed, lines come and go too fast for each to get elements of its own.
                key={following ? slot : number}
                line={lineAt(number)}
                number={isNumbered ? number : undefined}
                to={permalink({ step: name.step, line: number })}
                marked={isNumbered && isNamed(place, name.step, number)}
                wanted={wanted}
                withTime={withTime}
                point={point}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

/** A click on a number names that line; one with Shift all lines from the one that was named to it. */
function usePoint(step: number, place: LogPlace | undefined, search: string) {
  const navigate = useNavigate()
  const latest = useRef({ place, search })
  useEffect(() => {
    latest.current = { place, search }
  })
  return useCallback(
    (event: MouseEvent, number: number) => {
      // Those open another window.
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      const named = event.shiftKey ? reach(latest.current.place, step, number) : { step, line: number }
      void navigate(latest.current.search + permalink(named), { replace: true, preventScrollReset: true })
    },
    [navigate, step],
  )
}
