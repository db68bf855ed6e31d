import { chmodSync, closeSync, linkSync, openSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { goText } from '#agent/executors/command-files.ts'
import type { Command, Exit } from '#agent/executors/executor.ts'
import { outFile } from '#agent/job-folder.ts'
import { readJson, writeWhole } from '#agent/whole-file.ts'
import type { Inside } from './channel.ts'
import { inside } from './containers.ts'

/*
 * The folder of a docker job:
 *
 *   shared/   can be written inside the container; the agent reads nothing in it by name
 *   steps/    can only be read inside the container: what to run
 *   docker.json
 *
 * A command in a container may be root, and may put links in place of files. So the agent makes every file that it will
 * read itself and gives it a second name in `shared`: the container writes to the one, the agent reads the other.
 */

/** What another process of the agent must know. */
export interface DockerState {
  /** Known when it was made ready. */
  readonly ready?: Inside & { readonly keepsEntrypoint: boolean }
  /** Where commands find a docker engine, once they were given one. */
  readonly engine?: string
}

const stateFile = (folder: string) => join(folder, 'docker.json')

/** Says that the folder is one of the docker executor, and what is known of it. */
export const writeState = (folder: string, state: DockerState): void =>
  writeWhole(stateFile(folder), JSON.stringify(state))

/** Undefined in the folder of another executor. */
export const readState = (folder: string): DockerState | undefined => readJson<DockerState>(stateFile(folder))

/** The folder that commands may write to. */
export const sharedFolder = (folder: string): string => join(folder, 'shared')

/** The folder that commands may read. */
export const stepsFolder = (folder: string): string => join(folder, 'steps')

/** Makes a file of ours that whoever is in the container may write, under the same name in `shared`. */
export function lend(folder: string, file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o666)
  const name = join(sharedFolder(folder), basename(file))
  try {
    linkSync(file, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if (isSame(file, name)) return
    // Put there by a command that guessed what would come.
    unlinkSync(name)
    linkSync(file, name)
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other, { throwIfNoEntry: false })]
  return a.ino === b?.ino && a.dev === b.dev
}

const exitFile = (folder: string, step: number, attempt: number) => join(folder, `step-${step}.exit-${attempt}`)

/** Writes what the supervisor reads to run a command. After it the command counts as begun. */
export function writeCommand(folder: string, command: Command): void {
  const { step, attempt, script, shell, directory, environment } = command
  lend(folder, outFile(folder, step))
  lend(folder, exitFile(folder, step, attempt))
  const name = `step-${step}.script`
  writeFileSync(join(stepsFolder(folder), name), script)
  chmodSync(join(stepsFolder(folder), name), 0o755)
  const go = `step-${step}.go-${attempt}`
  writeFileSync(join(folder, go), goText(directory, environment, [...shell, `${inside.steps}/${name}`]))
  chmodSync(join(folder, go), 0o644)
  try {
    linkSync(join(folder, go), join(stepsFolder(folder), go))
  } catch {
    // There since an earlier try.
  }
}

/** What is known of a command: `running` also when whoever ran it may be gone. */
export function exitIn(folder: string, step: number, attempt: number): Exit | { readonly type: 'running' } {
  const file = exitFile(folder, step, attempt)
  try {
    const [begun, code, rest] = readFileSync(file, 'latin1').slice(0, 100).split('\n')
    if (rest !== undefined) return { type: 'exited', code: Number(code) || 0, at: statSync(file).mtime }
    return begun === '' ? { type: 'never' } : { type: 'running' }
  } catch {
    return { type: 'never' }
  }
}
