import { useSyncExternalStore } from 'react'
import { keptChoice } from '#web/kept-choice.ts'

const times = keptChoice('roundhouse-log-times')

/** Whether lines are shown with their times, in all logs. */
export const useLogTimes = (): boolean => useSyncExternalStore(times.watch, times.isOn)

interface Props {
  readonly status: string
  /** Nothing while the lines are being counted. */
  readonly count: number | undefined
  /** What the button to the end says; nothing while the end is in sight. */
  readonly end: string | undefined
  readonly toEnd: () => void
  /** Where the whole log is, and under which name it is kept. */
  readonly whole: string
  readonly name: string
}

/** What can be done with a log. */
export function LogBar({ status, count, end, toEnd, whole, name }: Props) {
  const withTimes = useLogTimes()
  return (
    <div className="log-bar">
      <span role="status">
        {status} <span className="soft">{countedLines(count)}</span>
      </span>
      {end !== undefined && (
        <button type="button" onClick={toEnd}>
          {end}
        </button>
      )}
      <button type="button" aria-pressed={withTimes} onClick={() => times.choose(!withTimes)}>
        Times
      </button>
      <a href={whole} download={name}>
        Raw log
      </a>
    </div>
  )
}

function countedLines(count: number | undefined): string {
  if (count === undefined) return 'Counting the lines…'
  return count === 0 ? '' : `${count.toLocaleString()} lines`
}
