import { type Bell, localBell } from './bell.ts'

/** Carries topics between servers; may lose some. */
export interface Wire {
  send(topic: string): void
  close(): Promise<void>
}

/** A bell that rings in every server that shares the database. */
export async function sharedBell(
  open: (heard: (topic: string) => void) => Promise<Wire>,
): Promise<{ readonly bell: Bell; close(): Promise<void> }> {
  const local = localBell()
  const wire = await open((topic) => local.ring(topic))
  const bell: Bell = {
    ...local,
    ring(topic) {
      // At once for those here; the echo over the wire wakes them a second time, which is harmless.
      local.ring(topic)
      wire.send(topic)
    },
  }
  return { bell, close: () => wire.close() }
}
