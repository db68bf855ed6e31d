import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { isAtEnd, type RowWindow, rowWindow } from './row-window.ts'

interface Followed {
  readonly ref: RefObject<HTMLDivElement | null>
  /** What must be in the page now. */
  readonly rows: RowWindow
  readonly following: boolean
  readonly toEnd: () => void
}

/** Scrolls a list of equal rows: to its end as it grows, unless the reader scrolled up, or to the one row wanted. */
export function useFollow(count: number, row: number, wanted: number | undefined): Followed {
  const ref = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState<RowWindow>({ from: 0, to: 80 })
  const [following, setFollowing] = useState(wanted === undefined)
  const shown = useRef<number>(undefined)

  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const look = () => setRows(sameOr(rowWindow(element.scrollTop, element.clientHeight, row, count)))
    const scrolled = () => {
      setFollowing(isAtEnd(element.scrollTop, element.clientHeight, element.scrollHeight))
      look()
    }
    if (wanted !== undefined && wanted !== shown.current && wanted < count) {
      shown.current = wanted
      setFollowing(false)
      element.scrollTop = Math.max(0, wanted * row - element.clientHeight / 3)
    } else if (following) {
      element.scrollTop = element.scrollHeight
    }
    look()
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => element.removeEventListener('scroll', scrolled)
  }, [count, row, wanted, following])

  return { ref, rows, following, toEnd: () => setFollowing(true) }
}

/** Keeps the old value where the new one says the same, so that nothing is drawn again. */
const sameOr =
  (next: RowWindow) =>
  (before: RowWindow): RowWindow =>
    before.from === next.from && before.to === next.to ? before : next
