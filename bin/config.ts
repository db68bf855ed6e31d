import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, explain, processConfig, type Question, validate } from '#cli/config-commands.ts'
import type { Settings } from '#cli/declared-settings.ts'
import { readPipelineParameters } from '#cli/pipeline-parameters.ts'
import { registryOf } from '#config/orb-registry.ts'
import { configPaths } from '#core/names.ts'
import { orbFolder } from '#server/app/orb-folder.ts'
import { isGitUrl } from '#server/vcs/git-url.ts'

type Asked = 'validate' | 'process' | 'explain'
type Options = Readonly<Record<string, string>>

const asked: Readonly<Record<Asked, (question: Question) => Answer>> = {
  validate,
  process: processConfig,
  explain,
}

/** Answers a question about a configuration file, and ends with 1 if there is something wrong with it. */
export function askConfig(name: Asked, file: string | undefined, options: Options, settings: () => Settings): void {
  const path = file ?? configPaths.find((usual) => existsSync(usual))
  if (path === undefined) return fail(`Cannot find a configuration here: looked for ${configPaths.join(', ')}`)
  const source = readText(path)
  if (source === undefined) return fail(`Cannot read ${path}`)
  const parameters = parametersOf(options['pipelineParameters'])
  if (typeof parameters === 'string') return fail(parameters)
  const { branch, tag } = options
  const question = {
    file: path === '-' ? 'stdin' : path,
    source,
    branch: tag === undefined ? (branch ?? 'main') : branch,
    tag,
    parameters,
  }
  const folder = registryFolder(options, settings)
  if (folder === undefined) return
  const answer = asked[name]({ ...question, orbs: registryOf(orbFolder(folder)) })
  if (!answer.ok) return fail(answer.text)
  console.log(answer.text)
}

/** The folder of packed orbs that a command means; told if it is no folder. */
export function registryFolder(options: Options, settings: () => Settings): string | undefined {
  if (options['orbRegistry'] !== undefined) return options['orbRegistry']
  const found = settings()
  const where = found['orb-registry'] ?? join(found.data, 'orbs')
  if (!isGitUrl(where)) return where
  fail(`Cannot use ${where} without a server: clone it, and name the folder with --orb-registry`)
  return undefined
}

/** Tells what is wrong, and lets the process end with 1. */
export function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

function parametersOf(given: string | undefined): ReturnType<typeof readPipelineParameters> {
  if (given === undefined) return {}
  const text = given.startsWith('@') ? readText(given.slice(1)) : given
  return text === undefined ? `Cannot read the pipeline parameters in ${given.slice(1)}` : readPipelineParameters(text)
}

/** The text of a file, or of standard input for `-`. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch {
    return undefined
  }
}
