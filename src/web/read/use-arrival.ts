import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Begins each new page at its top, and where a keyboard or a screen reader can go on. Going back is left to the browser. */
export function useArrival(ref: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const way = useNavigationType()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    ref.current?.focus({ preventScroll: true })
    if (way !== 'POP') window.scrollTo(0, 0)
  }, [pathname, way, ref])
}
