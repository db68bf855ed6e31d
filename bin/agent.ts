import { readFileSync } from 'node:fs'
import { runAgent } from '#agent/agent.ts'
import { flagsIn, jobOptions } from './agent-options.ts'
/** Runs an agent until it is asked to stop; asked twice, it stops at once and its jobs go on without it. */
export async function agent(given: Readonly<Record<string, string | boolean>>, version: string): Promise<void> {
  const drain = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (drain.signal.aborted) process.exit(0)
      drain.abort()
    })
  }
  if (given['withParent'] === true) process.stdin.on('end', () => process.exit(0)).resume()
  const options = given as Readonly<Record<string, string>>
  const { server = '', tokenFile = '', folder = 'agent', name = 'agent', slots = '2', resourceClasses = '' } = options
  try {
    await runAgent(
      {
        server: server.replace(/\/+$/, ''),
        token: readFileSync(tokenFile, 'utf8').trim(),
        folder,
        name,
        slots: Number(slots),
        resourceClasses: resourceClasses.split(',').filter(Boolean),
        version,
        ...jobOptions(flagsIn(given), process.env['DOCKER_HOST']),
        log: (line) => console.log(`agent ${name}: ${line}`),
      },
      drain.signal,
    )
    process.exit(0)
  } catch (error) {
    console.error(`agent ${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}
