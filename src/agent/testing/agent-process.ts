import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('./agent-entry.ts', import.meta.url))

/** An agent in a process of its own, to be killed and started again with the same folder. */
export function agentProcess(server: string, folder: string, more: object = {}) {
  const options = {
    server,
    folder,
    token: 'agent-token',
    name: 'test',
    slots: 2,
    resourceClasses: [],
    version: '0',
    graceMs: 500,
    ...more,
  }
  const lines: string[] = []
  let child: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  return {
    lines,
    start() {
      child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, JSON.stringify(options)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.stderr?.setEncoding('utf8').on('data', (text: string) => lines.push(text))
      return child.pid!
    },
    /** Ends the process as a power cut would. */
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
