import { addressOf } from '#contract/client.ts'
import { readLog } from '#contract/rh/log.ts'
import { rhBase } from '#web/api/calls.ts'
import { linesOf } from './lines.ts'
import { LogLine, rowHeight } from './log-line.tsx'
import { permalink } from './permalink.ts'
import { useFollow } from './use-follow.ts'
import { type LogState, useLog } from './use-log.ts'

interface Props {
  readonly job: string
  readonly step: number
  readonly name: string
  /** The line that the address names. */
  readonly line: number | undefined
}

const states: Readonly<Record<LogState, string>> = {
  loading: 'Loading…',
  live: 'Following',
  lost: 'Connection lost, trying again',
  ended: '',
}

/** The log of a step. Only the lines that can be seen are in the page, so that a big log is as quick as a small one. */
export function LogView({ job, step, name, line }: Props) {
  const { log, state } = useLog(job, step)
  const lines = linesOf(log)
  const { ref, rows, following, toEnd } = useFollow({ count: lines.length, dropped: log.dropped, row: rowHeight, line })
  const whole = rhBase + addressOf(readLog, { params: { id: job, index: step } })
  return (
    <div className="log">
      <div className="log-bar">
        <span role="status">{states[state]}</span>
        {!following && state !== 'ended' && (
          <button type="button" onClick={toEnd}>
            Follow the end
          </button>
        )}
        <a href={whole} download={`step-${step}.log`}>
          Download whole log
        </a>
      </div>
      {log.dropped > 0 && (
        <p className="log-note">The first {log.dropped} lines are not shown: download the whole log</p>
      )}
      {lines.length === 0 && state === 'ended' && <p className="log-note">No output</p>}
      <div ref={ref} className="log-scroll" tabIndex={0} role="log" aria-live="off" aria-label={`Output of ${name}`}>
        <div className="log-lines" style={{ height: lines.length * rowHeight }}>
          <div style={{ transform: `translateY(${rows.from * rowHeight}px)` }}>
            {lines.slice(rows.from, rows.to).map((one, at) => {
              const number = log.dropped + rows.from + at + 1
              return (
                <LogLine
                  key={number}
                  line={one}
                  number={number}
                  to={permalink({ step, line: number })}
                  marked={number === line}
                />
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}
