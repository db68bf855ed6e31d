import { useSyncExternalStore } from 'react'

const subscribe = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/**
 * Whether somebody can see this page. Streams end while nobody can: a browser holds six connections to one server,
 * and a few forgotten tabs would use them up.
 */
export const useVisible = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState !== 'hidden')
