import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { isAtEnd, type RowWindow, rowWindow } from './row-window.ts'

interface Rows {
  readonly count: number
  /** How many rows went before the first one. */
  readonly dropped: number
  /** The height of each. */
  readonly row: number
  /** The number of the row to show, counted from 1 and with those that were dropped. */
  readonly line: number | undefined
}

interface Followed {
  readonly ref: RefObject<HTMLDivElement | null>
  /** What must be in the page now. */
  readonly rows: RowWindow
  readonly following: boolean
  readonly toEnd: () => void
}

/** Scrolls a list of equal rows: to its end as it grows, unless the reader scrolled up, or to the one row wanted. */
export function useFollow({ count, dropped, row, line }: Rows): Followed {
  const ref = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState<RowWindow>({ from: 0, to: 80 })
  const [following, setFollowing] = useState(line === undefined)
  const before = useRef<{ readonly dropped: number; readonly line: number | undefined }>({
    dropped: 0,
    line: undefined,
  })

  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const look = () => setRows(sameOr(rowWindow(element.scrollTop, element.clientHeight, row, count)))
    const scrolled = () => {
      setFollowing(isAtEnd(element.scrollTop, element.clientHeight, element.scrollHeight))
      look()
    }
    const place = line === undefined ? 0 : line - 1 - dropped
    const wanted = line !== undefined && line !== before.current.line && place < count
    if (wanted) {
      setFollowing(false)
      // A reader who pressed the number of a line sees it already.
      if (!isSeen(element, place * row)) element.scrollTop = Math.max(0, place * row - element.clientHeight / 3)
    } else if (following) {
      element.scrollTop = element.scrollHeight
    } else {
      // What a reader reads stays where it is, although rows above it go.
      element.scrollTop -= (dropped - before.current.dropped) * row
    }
    before.current = { dropped, line: wanted ? line : before.current.line }
    look()
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => element.removeEventListener('scroll', scrolled)
  }, [count, dropped, row, line, following])

  return { ref, rows, following, toEnd: () => setFollowing(true) }
}

const isSeen = ({ scrollTop, clientHeight }: HTMLElement, top: number): boolean =>
  top >= scrollTop && top < scrollTop + clientHeight

/** Keeps the old value where the new one says the same, so that nothing is drawn again. */
const sameOr =
  (next: RowWindow) =>
  (before: RowWindow): RowWindow =>
    before.from === next.from && before.to === next.to ? before : next
