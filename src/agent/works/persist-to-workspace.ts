import { relative } from 'node:path'
import { limitsOf } from '#agent/archive/limits.ts'
import { packBundles } from '#agent/archive/pack.ts'
import { directoryOf } from '#agent/environment.ts'
import { repeat } from '#agent/storage.ts'
import type { StepSpec } from '#contract/agent.ts'
import { outermost } from './cache-paths.ts'
import { refusedAsFailed } from './refused.ts'
import { bytesText } from './words.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './work.ts'

type Step = Extract<StepSpec, { type: 'persist_to_workspace' }>

/** Puts files below a folder into the workspace, for the jobs that come after this one. */
export const persistToWorkspace: Work<Step> = async ({ place, job, step, index, say, signal, server }) => {
  const root = directoryOf(step.root, directoryOf(job.working_directory, place.home, place.home), place.home)
  const patterns = step.paths.map((path) => patternOf(path, root, place.home))
  const found = patterns.includes('.') ? ['.'] : await place.files.find(root, patterns.flatMap(withHidden))
  const paths = await outermost(found)
  if (paths.length === 0) throw new StepFailed(`The specified paths did not match any files in ${root}`)
  say(`Creating workspace archive...\nUploading workspace archive...\n`)
  const guard = await repeat(
    async () => {
      const packed = packBundles(place.files, [{ root, paths }], limitsOf(job), say)
      await server.storage.saveLayer(index, packed.stream, signal)
      return packed.guard
    },
    signal,
    say,
  ).catch(refusedAsFailed)
  say(`Persisted ${guard.entries()} files and folders from ${root}, ${bytesText(guard.bytes())}\n`)
  return 'success'
}

/** More wildcards than anybody writes: from there on a pattern is taken as it is. */
const mostWild = 4

/** The same pattern in words of ours: those of workspaces find hidden files too (Go's `filepath.Match`). */
export function withHidden(pattern: string): readonly string[] {
  const segments = pattern.split('/')
  if (segments.filter(isWild).length > mostWild) return [pattern]
  let found: readonly string[] = ['']
  for (const [index, segment] of segments.entries()) {
    const forms = isWild(segment) ? [segment, hiddenOf(segment)] : [segment]
    found = found.flatMap((before) => forms.map((form) => (index === 0 ? form : `${before}/${form}`)))
  }
  return found
}

/** Begins with something that could stand for a dot. */
const isWild = (segment: string): boolean => /^[*?]/.test(segment) && segment !== '**'
const hiddenOf = (segment: string): string => `.${segment.startsWith('?') ? segment.slice(1) : segment}`

/** A pattern relative to the root: absolute ones and those of the home are taken for what they mean below it. */
function patternOf(configured: string, root: string, home: string): string {
  const isWhole = configured.startsWith('/') || configured === '~' || configured.startsWith('~/')
  const path = isWhole ? relative(root, directoryOf(configured, root, home)) : configured.replace(/^(\.\/+)+/, '')
  const pattern = path.replace(/\/+$/, '')
  if (pattern.split('/').includes('..'))
    throw new StepFailed(`Cannot persist ${configured}: it does not lie in ${root}`)
  return pattern === '' ? '.' : pattern
}
