import { constants, existsSync, readdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '#agent/executors/executor.ts'
import { StepFailed } from '#agent/step-failed.ts'

/**
 * What is where a job's code should go: nothing, or only what an earlier try of ours left; a repository; or files of
 * somebody else. And whether the place has a git that can work with it.
 */
export interface Found {
  readonly at: 'nothing' | 'repository' | 'files'
  readonly git: boolean
}

/** Looks without a command, where the agent sees what the job sees. The agent itself needs git, so the job has it too. */
export function lookHere(directory: string): Found {
  const names = existsSync(directory) ? namesIn(directory) : []
  if (names.length === 0) return { at: 'nothing', git: true }
  if (!names.includes('.git')) return { at: 'files', git: true }
  return { at: isWhole(join(directory, '.git')) ? 'repository' : 'nothing', git: true }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    throw new StepFailed(`Cannot check out into ${directory}: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * One that has no `HEAD`, or nothing in it, was cut short while it was put there; elsewhere `.git` may also be a file that
 * names a folder.
 */
const isWhole = (git: string) =>
  (statSync(join(git, 'HEAD'), { throwIfNoEntry: false })?.size ?? 0) > 0 || !existsSync(join(git, 'objects'))

/** Says the same from inside: in nothing but words of the shell, as there may be nothing else. */
export const lookScript = `
at=nothing
if ! cd "$CHECKOUT_DIRECTORY" 2>/dev/null; then
  :
elif [ -s .git/HEAD ] || [ -f .git ]; then
  at=repository
elif [ ! -e .git ]; then
  for entry in * .[!.]* ..?*; do
    if [ -e "$entry" ] || [ -L "$entry" ]; then at=files; fi
  done
fi
git=no
if command -v git >/dev/null 2>&1; then git=yes; fi
echo "$at $git" >"$CHECKOUT_ANSWER"
`

/** The name of the file in the shared folder in which a script answers. */
export const answerFile = (index: number): string => `checkout-${index}`

/** Reads what the script wrote. Commands of the job can write there too, so nothing but the words we know is believed. */
export async function readAnswer(place: Place, index: number): Promise<Found | undefined> {
  const file = join(place.shared, answerFile(index))
  try {
    await using found = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const { buffer, bytesRead } = await found.read(Buffer.alloc(100), 0, 100, 0)
    const [, at, git] = /^(nothing|repository|files) (yes|no)\n/.exec(buffer.toString('latin1', 0, bytesRead)) ?? []
    return at === undefined ? undefined : { at: at as Found['at'], git: git === 'yes' }
  } catch {
    return undefined
  }
}
