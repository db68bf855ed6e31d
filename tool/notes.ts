import type { EventData } from 'node:test'

/** One event of node:test, as its reporters see it. */
export interface TestEvent {
  readonly type: string
  readonly data: EventData.TestDiagnostic
}

/** Passes the events of a test run on, with notes before its closing lines, so that these stay the last thing said. */
export async function* withNotes(
  events: AsyncIterable<TestEvent>,
  notes: () => readonly string[],
): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (isClosing(event)) for (const message of notes()) yield { ...event, data: { ...event.data, message } }
    yield event
  }
}

/** The closing lines begin with the count of tests, and belong to no file. */
function isClosing({ type, data }: TestEvent): boolean {
  return type === 'test:diagnostic' && data.file === undefined && data.nesting === 0 && /^tests \d+$/.test(data.message)
}
