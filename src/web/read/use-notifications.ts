import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { addressOf } from '#contract/client.ts'
import { type Notification as Told, watchNotifications } from '#contract/rh/notifications.ts'
import { rhBase } from '#web/api/calls.ts'
import { listen } from '#web/api/event-stream.ts'
import { permissionNow, watchPermission } from './permission.ts'
import { preferencesQuery } from './user-queries.ts'

/**
 * Shows what the reader wants to be told of, also while no page of ours is in sight. One page of the browser listens
 * for all of them: a browser holds six connections to one server, and six forgotten tabs would use them up.
 */
export function useNotifications(): void {
  const permission = useSyncExternalStore(watchPermission, permissionNow)
  const { data } = useQuery({ ...preferencesQuery, enabled: permission === 'granted' })
  const navigate = useNavigate()
  const on = permission === 'granted' && data !== undefined && data.browser !== 'none'
  useEffect(() => {
    if (!on) return
    const gone = new AbortController()
    const listening = () =>
      new Promise<void>((done) => {
        const stop = listenForAll((path) => void navigate(path))
        gone.signal.addEventListener('abort', () => {
          stop()
          done()
        })
      })
    navigator.locks.request('roundhouse-notifications', { signal: gone.signal }, listening).catch((error: unknown) => {
      if (!gone.signal.aborted) console.error(error)
    })
    return () => gone.abort()
  }, [on, navigate])
}

function listenForAll(go: (path: string) => void): () => void {
  let last: string | undefined
  return listen({
    address: () => rhBase + addressOf(watchNotifications, { query: last === undefined ? {} : { after: last } }),
    events: {
      notification: ({ data }) => {
        const told = JSON.parse(data) as Told
        last = told.id
        show(told, go)
      },
    },
  })
}

/** Shows one; a second page that shows the same one replaces it. */
export function show(
  { id, title, text, url }: Pick<Told, 'id' | 'title' | 'text' | 'url'>,
  go: (path: string) => void,
) {
  const shown = new Notification(title, { body: text, tag: id })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    // Of the address only the path: the server may be known by another name here.
    const { pathname, search } = new URL(url, window.location.origin)
    go(pathname + search)
  })
}
