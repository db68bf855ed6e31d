import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownText, readJson, writeWhole } from '#agent/whole-file.ts'
import type { Command, Exit } from './executor.ts'
import type { Leader } from './processes.ts'
import { exportsOf, quoted } from './words.ts'

/** Writes what a supervisor reads to run a command: the script, and how to run it. */
export function writeCommand(folder: string, { step, attempt, script, shell, directory, environment }: Command): void {
  const file = join(folder, `step-${step}.script`)
  writeFileSync(file, script, { ...ownText, mode: 0o700 })
  const go = goText(directory, environment, [...shell, file])
  writeFileSync(join(folder, `step-${step}.go-${attempt}`), go, { ...ownText })
}

/** What a supervisor reads: where to go, the variables, and what to become. */
export function goText(directory: string, environment: Command['environment'], words: readonly string[]): string {
  const where = quoted(directory)
  const cannot = quoted(`Cannot work in ${directory}`)
  // Mostly it is there, and making it would cost a process. Before the variables: CDPATH of the user must not change where it is.
  const enter = `cd ${where} 2>/dev/null || { mkdir -p ${where} && cd ${where}; } || { echo ${cannot}; exit 1; }\n`
  return `${enter}${exportsOf(environment)}unset OLDPWD\nexec ${words.map(quoted).join(' ')}\n`
}

/** What a supervisor wrote about a command: nothing before it begins, nothing complete before it ends. */
export function exitOf(folder: string, step: number, attempt: number): Exit {
  const file = join(folder, `step-${step}.exit-${attempt}`)
  try {
    const text = readFileSync(file, 'latin1')
    return text.endsWith('\n') ? { type: 'exited', code: Number(text), at: statSync(file).mtime } : { type: 'unknown' }
  } catch {
    return { type: 'never' }
  }
}

/** Whether a supervisor has nobody any more who could give it commands: those that it has not begun it never will. */
export const isClosed = (folder: string, { name }: Leader): boolean =>
  name !== undefined && existsSync(join(folder, `closed-${name}`))

const leadersFile = (folder: string) => join(folder, 'supervisors.json')

/** Keeps which processes run the commands of a folder, for the next process of the agent. */
export function writeLeaders(folder: string, leaders: readonly Leader[]): void {
  writeWhole(leadersFile(folder), JSON.stringify(leaders))
}

/** None in a folder that was only half made: nothing runs in it, or goes away by itself at the end of its input. */
export function readLeaders(folder: string): readonly Leader[] {
  return readJson<readonly Leader[]>(leadersFile(folder)) ?? []
}
