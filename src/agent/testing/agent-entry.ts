import { runAgent } from '#agent/agent.ts'

/* An agent in a process of its own, so that a test can kill it: its options are the first argument. */
const options = JSON.parse(process.argv[2] ?? '{}')
await runAgent({ ...options, log: (line: string) => console.error(line) }, new AbortController().signal)
