import type { Log } from '#server/app/world.ts'

const levels = ['error', 'warn', 'info'] as const
type Level = (typeof levels)[number]

/** One JSON line for each thing worth knowing, to standard error: what people read stays on standard output. */
export function lineLog(level: Level): Log {
  const write = (of: Level) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (levels.indexOf(of) > levels.indexOf(level)) return
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: of, message, ...fields })}\n`)
  }
  return { error: write('error'), warn: write('warn'), info: write('info') }
}
