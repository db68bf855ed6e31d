import { spawn } from 'node:child_process'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** Runs a command with our terminal and passes signals on. Resolves with its exit code, or the signal that ended it. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    // A terminal sends SIGINT to the whole group: passing it on as well would look like a second, impatient Ctrl-C.
    const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal)
    for (const signal of signals) process.on(signal, forward)
    const settle = (done) => {
      for (const signal of signals) process.off(signal, forward)
      done()
    }
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', (code, signal) => settle(() => resolve({ code, signal })))
  })
}
