import type { TerminalWish } from './terminal.ts'
import { quoted } from './words.ts'

/**
 * What a shell does to become the process that somebody talks to: takes the pipes for its own, says so by one byte, and goes on as what
 * was wanted. Node cannot make a terminal, so `script` of util-linux does, or python3 where there is none.
 */
export function terminalScript(base: string, bash: boolean, { command, screen }: TerminalWish): string {
  const wanted = shellCommand(bash, command, screen !== undefined)
  const start =
    `printf %s "$$" >${quoted(`${base}.pid`)}\n` +
    // First for both, so that opening waits for nobody; then only what it is for, so that an end is seen.
    `exec 3<>${quoted(`${base}.in`)} 0<${quoted(`${base}.in`)} 3<&- 1>${quoted(`${base}.out`)} 2>${quoted(`${base}.err`)}\n` +
    "printf '\\001'\n"
  if (!screen) return `${start}exec ${wanted}\n`
  const inner = `stty sane rows ${Math.trunc(screen.rows)} cols ${Math.trunc(screen.columns)}; tty >${quoted(`${base}.tty`)}; exec ${wanted}`
  return `${start}if command -v script >/dev/null 2>&1; then
  exec script -qfec ${quoted(inner)} /dev/null
elif command -v python3 >/dev/null 2>&1; then
  exec python3 -c ${quoted(python)} /bin/sh -c ${quoted(inner)}
fi
echo 'Cannot make a terminal here: there is neither script nor python3. Commands without a terminal work.'
exit 1
`
}

const python = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

/** The words that become a shell, or a command read by one. The first bash reads what steps have left for those after them (BASH_ENV), which one that is talked to does not. */
export function shellCommand(bash: boolean, command: string | undefined, isTalkedTo: boolean): string {
  const shell = bash ? '/bin/bash' : '/bin/sh'
  if (command !== undefined) return `${shell} -c ${quoted(command)}`
  return bash ? `/bin/bash -c ${quoted(`exec /bin/bash ${isTalkedTo ? '-i' : ''}`)}` : '/bin/sh'
}
