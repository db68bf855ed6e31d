import { useLocation } from 'react-router'
import { addressOf } from '#contract/client.ts'
import { readLog } from '#contract/rh/log.ts'
import { rhBase } from '#web/api/calls.ts'
import { linesOf } from './lines.ts'
import { LogLine, rowHeight } from './log-line.tsx'
import { permalink } from './permalink.ts'
import { useChunks } from './use-chunks.ts'
import { useScroll } from './use-scroll.ts'
import { type LogName, type LogState, useTail } from './use-tail.ts'
import { heightOf } from './viewport.ts'

interface Props {
  readonly log: LogName
  readonly name: string
  /** The line that the address names. */
  readonly line: number | undefined
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
export function LogView({ log: name, name: title, line, find }: Props) {
  const { log, state } = useTail(name)
  const { search } = useLocation()
  const tail = linesOf(log)
  const count = log.dropped + tail.length
  const { ref, rows, shift, following, toEnd } = useScroll({ count, row: rowHeight, line })
  const chunk = useChunks(name, rows, log.dropped)
  const whole = rhBase + addressOf(readLog, { params: { id: name.job, index: name.step }, query: { node: name.node } })
  const wanted = find.toLowerCase()
  const numbers = Array.from({ length: rows.to - rows.from }, (_, at) => rows.from + at + 1)
  return (
    <div className="log">
      <div className="log-bar">
        <span role="status">
          {states[state]} {count > 0 && <span className="soft">{count.toLocaleString()} lines</span>}
        </span>
        {!following && (
          <button type="button" onClick={toEnd}>
            {state === 'ended' ? 'To the end' : 'Follow the end'}
          </button>
        )}
        <a href={whole} download={`step-${name.step}.log`}>
          Raw log
        </a>
      </div>
      {count === 0 && state === 'ended' && <p className="log-note">No output</p>}
      <div ref={ref} className="log-scroll" tabIndex={0} role="log" aria-live="off" aria-label={`Output of ${title}`}>
        <div className="log-lines" style={{ height: heightOf({ count, row: rowHeight, height: 0 }) }}>
          <div style={{ transform: `translateY(${shift}px)` }}>
            {numbers.map((number) => (
              <LogLine
                key={number}
                line={number > log.dropped ? tail[number - log.dropped - 1] : chunk(number)}
                number={number}
                to={search + permalink({ step: name.step, line: number })}
                marked={number === line}
                wanted={wanted}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}
