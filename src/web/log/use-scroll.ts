import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type RowWindow, rowWindow } from './row-window.ts'
import { isAtEnd, isScaled, lastTop, scrolledTo, topAt, type Viewport } from './viewport.ts'

interface Rows {
  readonly count: number
  readonly row: number
  /** The number of the row to show, counted from 1; the end unless given. */
  readonly line: number | undefined
  /** Whether all rows are counted; when they are at last, those that were before the first come on top. */
  readonly numbered: boolean
}

interface Scrolled {
  readonly ref: RefObject<HTMLDivElement | null>
  /** What must be in the page now. */
  readonly rows: RowWindow
  /** How far down these are drawn, in pixels. */
  readonly shift: number
  readonly following: boolean
  readonly toEnd: () => void
}

/** Scrolls over any number of equal rows: to the end as they grow, unless the reader went elsewhere, or to the one row wanted. */
export function useScroll({ count, row, line, numbered }: Rows): Scrolled {
  const ref = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(0)
  const [height, setHeight] = useState(400)
  const [following, setFollowing] = useState(line === undefined)
  const shown = useRef<number>(undefined)
  // Where we scrolled to ourselves: the event that this causes tells nothing new.
  const own = useRef(-1)
  const view: Viewport = { count, row, height }
  // Who follows is at the end by definition: a state of its own would draw every piece of the log twice.
  const top = following ? lastTop(view) : chosen
  const latest = useRef(view)
  latest.current = view

  /** Only written: reading where the box is now would lay out the page once more in every frame. */
  const scroll = (to: number) => {
    const element = ref.current
    if (!element) return
    own.current = scrolledTo(latest.current, to)
    element.scrollTop = own.current
  }
  const goTo = (wanted: number) => {
    const next = Math.min(lastTop(latest.current), Math.max(0, wanted))
    scroll(next)
    setChosen(next)
    setFollowing(isAtEnd(latest.current, next))
  }

  useLayoutEffect(() => {
    // It has no height before its first line: then one is guessed until it is measured.
    if (ref.current && ref.current.clientHeight > 0) setHeight(ref.current.clientHeight)
  }, [])

  const counted = useRef({ count, numbered })
  useLayoutEffect(() => {
    const before = counted.current
    counted.current = { count, numbered }
    // The rows that are looked at stay where they are.
    if (!before.numbered && numbered && !following) goTo(top + count - before.count)
  }, [count, numbered])

  useLayoutEffect(() => {
    const wanted = line !== undefined && line !== shown.current && line <= count
    if (wanted) {
      shown.current = line
      const seen = line - 1 >= top && line < top + height / row
      const next = seen ? top : Math.min(lastTop(view), Math.max(0, line - 1 - height / row / 3))
      scroll(next)
      setChosen(next)
      setFollowing(false)
    } else if (following) {
      scroll(top)
    }
  }, [count, row, line, following, height, top])

  useEffect(() => {
    const element = ref.current
    if (!element) return
    const scrolled = () => {
      // A box that is higher or lower than we believed went as far as it could.
      const asked = Math.min(own.current, element.scrollHeight - element.clientHeight)
      if (Math.abs(element.scrollTop - asked) < 2) return
      own.current = -1
      const next = topAt(latest.current, element.scrollTop)
      setChosen(next)
      setFollowing(isAtEnd(latest.current, next))
    }
    // A notch of the wheel or a key would pass over many rows where a pixel stands for more than one.
    const wheeled = (event: WheelEvent) => {
      if (!isScaled(latest.current) || event.deltaY === 0) return
      event.preventDefault()
      goTo(topAt(latest.current, element.scrollTop) + event.deltaY / row)
    }
    const pressed = (event: KeyboardEvent) => {
      const page = latest.current.height / row - 2
      const steps = { ArrowDown: 2, ArrowUp: -2, PageDown: page, PageUp: -page }[event.key]
      if (steps === undefined || !isScaled(latest.current)) return
      event.preventDefault()
      goTo(topAt(latest.current, element.scrollTop) + steps)
    }
    const resized = new ResizeObserver(() => setHeight(element.clientHeight))
    resized.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    element.addEventListener('wheel', wheeled, { passive: false })
    element.addEventListener('keydown', pressed)
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', scrolled)
      element.removeEventListener('wheel', wheeled)
      element.removeEventListener('keydown', pressed)
    }
  }, [row])

  // Nobody who follows is about to scroll: what is above would be drawn anew with every piece, for nothing.
  const rows = rowWindow(top * row, height, row, count, following ? 2 : 20)
  const shift = isScaled(view) ? scrolledTo(view, top) + (rows.from - top) * row : rows.from * row
  return { ref, rows, shift, following, toEnd: () => setFollowing(true) }
}
