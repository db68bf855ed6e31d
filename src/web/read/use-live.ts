import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { addressOf } from '#contract/client.ts'
import { watchChanges } from '#contract/rh/live.ts'
import { rhBase } from '#web/api/calls.ts'
import { listen } from '#web/api/event-stream.ts'
import { isTouched, topicIn } from './topics.ts'
import { useVisible } from './use-visible.ts'

// A busy workflow changes many times a second; nobody reads faster than this.
const calm = 300

/**
 * Reads again what the page shows, when the service says that something of a project, given by its id, or of `all`
 * has changed. Without either it waits.
 */
export function useLive(project: string | undefined): void {
  const queries = useQueryClient()
  const visible = useVisible()
  useEffect(() => {
    if (!visible || project === undefined) return
    const query = project === 'all' ? {} : { project }
    const reader = rereader(queries)
    const stop = listen({
      address: () => rhBase + addressOf(watchChanges, { query }),
      events: { look: ({ data }) => reader.touch(topicIn(data)) },
      // Whatever happened while nobody listened.
      onOpen: () => reader.touch(''),
    })
    return () => {
      stop()
      reader.stop()
    }
  }, [queries, project, visible])
}

/** Configurations do not change, and who is signed in is nothing that a project could tell. */
const lasting: readonly unknown[] = ['config', 'session', 'organizations', 'lines', 'search']

function rereader(queries: QueryClient) {
  const topics = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const reread = () => {
    timer = undefined
    const touched = [...topics]
    topics.clear()
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        !lasting.includes(queryKey[0]) && touched.some((topic) => isTouched(topic, queryKey)),
    })
  }
  return {
    touch(topic: string) {
      topics.add(topic)
      timer ??= setTimeout(reread, calm)
    },
    stop: () => clearTimeout(timer),
  }
}
