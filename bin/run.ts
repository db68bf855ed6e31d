import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readAgentOptions } from '#cli/agent-flags.ts'
import type { Settings } from '#cli/declared-settings.ts'
import { registryOf } from '#config/orb-registry.ts'
import { configPaths } from '#core/names.ts'
import { isRefName } from '#core/refs.ts'
import { boardOn, type Board } from '#local/board.ts'
import { type Checkout, findCheckout } from '#local/checkout.ts'
import { dataFolder } from '#local/data-folder.ts'
import { readEnvFile, type Secrets } from '#local/env-file.ts'
import { follow, type Followed } from '#local/follow.ts'
import { type Planned, planRun } from '#local/plan-run.ts'
import { forgetOld, runsIn } from '#local/results.ts'
import { takeSnapshot } from '#local/snapshot.ts'
import { tellEnd } from '#local/tell-end.ts'
import { orbFolder } from '#server/app/orb-folder.ts'
import { readText, registryFolder } from './config.ts'
import type { RunOptions } from './run-options.ts'
import { UsageProblem } from './usage-problem.ts'

/** Runs what is wanted of the checkout that the folder lies in, and gives the exit code. */
export async function run(names: readonly string[], options: RunOptions, settings: () => Settings): Promise<number> {
  const checkout = await findCheckout(process.cwd())
  const folder = dataFolder(checkout.root, process.env)
  if (options.logs !== undefined) return (await import('./run-logs.ts')).printLogs(folder, options.logs)
  if (options.branch !== undefined && options.tag !== undefined)
    throw new UsageProblem('Cannot run for a branch and a tag: give one of them')
  for (const ref of [options.branch, options.tag])
    if (ref !== undefined && !isRefName(ref)) throw new UsageProblem(`Cannot use ${ref} as the name of a branch or tag`)
  const target = { branch: options.tag === undefined ? branchOf(checkout, options) : undefined, tag: options.tag }
  const { file, source } = readConfig(checkout, options.config)
  const registry = registryFolder(
    options.orbRegistry === undefined ? {} : { orbRegistry: options.orbRegistry },
    settings,
  )
  if (registry === undefined) return 2
  const planned = planRun({
    file,
    source,
    ...target,
    names,
    workflows: options.workflow ?? [],
    jobs: options.job ?? [],
    withRequires: options.withRequires ?? false,
    parameters: options.param ?? [],
    orbs: registryOf(orbFolder(registry)),
  })
  if (!planned.ok) throw new UsageProblem(planned.text)
  if (options.list) {
    console.log(planned.explained)
    return 0
  }
  return runPlanned({
    checkout,
    folder,
    target,
    source,
    planned,
    secrets: secretsOf(options),
    options,
    settings: settings(),
  })
}

interface Work {
  readonly checkout: Checkout
  readonly folder: string
  readonly target: { readonly branch: string | undefined; readonly tag: string | undefined }
  readonly source: string
  readonly planned: Extract<Planned, { readonly ok: true }>
  readonly secrets: Secrets
  readonly options: RunOptions
  readonly settings: Settings
}

async function runPlanned(work: Work): Promise<number> {
  const { checkout, folder, target, source, planned, options, settings } = work
  const board = boardOn(screen)
  const interrupt = interruption(board)
  const { openLocal } = await import('./local-service.ts')
  const { beginRun, replaceSecrets } = await import('#server/app/local-runs.ts')
  const { projectForPush } = await import('#server/app/projects.ts')
  const { repositoryOf } = await import('#server/app/repositories.ts')
  const usesDocker = planned.plan.workflows.some(({ jobs }) =>
    jobs.some(({ body }) => body?.executor.type === 'docker'),
  )
  await using local = await openLocal({
    folder,
    settings,
    // A setup goes on by calling the service, which containers reach only in the network of this machine.
    flags: {
      // Whoever runs it can use the engine anyway, and machine jobs run on this very machine.
      'remote-docker': 'engine',
      ...(planned.plan.setup && { 'docker-network': 'host' }),
      ...flagsOf(settings),
    },
    environment: process.env,
    slots: options.slots === undefined ? Math.max(2, availableParallelism()) : slotsOf(options.slots),
    log: (line) => usesDocker && !options.quiet && / docker jobs /.test(line) && board.say(line),
  })
  interrupt.onKill(() => local.kill())
  const { app, user } = local
  const project = await projectForPush(app.world, user, checkout.organization, checkout.name)
  const contexts = contextsOf(work, board)
  const revision = await takeSnapshot(checkout, repositoryOf(app.world, project), target)
  if (options.cache === false) await (await import('#server/app/caches.ts')).clearCaches(app.world, project)
  await replaceSecrets(app, user, project, work.secrets.variables, contexts)
  try {
    const { parameters, part } = planned
    const pipeline = await beginRun(app, user, project, { revision, ...target, source, parameters, part })
    const results = await newResults(folder)
    const stored = options.artifacts === undefined ? results : resolve(options.artifacts)
    const followed = await follow({
      server: local.server,
      pipeline: pipeline.id,
      board,
      folders: { logs: results, stored },
      approvals: { given: new Set(options.approve), ask: process.stdin.isTTY && screen.isTerminal ? ask : undefined },
      how: options.verbose ? 'verbose' : options.quiet ? 'quiet' : 'usual',
      interrupt: interrupt.signal,
      changed: (ms) => local.changed(ms, interrupt.signal.aborted ? new AbortController().signal : interrupt.signal),
      now: Date.now,
    })
    return end(followed, board, interrupt.signal.aborted, options)
  } finally {
    await replaceSecrets(app, user, project)
  }
}

function end(followed: Followed, board: Board, wasInterrupted: boolean, { quiet = false }: RunOptions): number {
  const { lines, ending } = tellEnd(followed, board.colours)
  if (!quiet || ending !== 'success') board.say(...lines)
  if (wasInterrupted) return 130
  if (followed.given.length > 0) return 1
  return { success: 0, failed: 1, canceled: 1, errored: 2 }[ending]
}

const branchOf = (checkout: Checkout, { branch }: RunOptions): string => branch ?? checkout.branch ?? 'main'

/** The configuration that was named, or the first of the usual ones; named as a person sees it from where they are. */
function readConfig({ root }: Checkout, given: string | undefined): { readonly file: string; readonly source: string } {
  const usual = configPaths.map((path) => join(root, path)).find((path) => existsSync(path))
  const path = given ?? usual
  if (path === undefined)
    throw new UsageProblem(`Cannot find a configuration in ${root}: looked for ${configPaths.join(', ')}`)
  const source = readText(path)
  if (source === undefined) throw new UsageProblem(`Cannot read ${path}`)
  return { file: given ?? (relative(process.cwd(), path) || path), source }
}

/** What the env file says, and over it what was given by hand: `NAME=value`, or `NAME` alone for a variable of this shell. */
function secretsOf({ envFile, env = [] }: RunOptions): Secrets {
  const files = (envFile ?? []).map((file) => {
    const text = readText(file)
    if (text === undefined) throw new UsageProblem(`Cannot read ${file}`)
    return readEnvFile(file, text)
  })
  const variables: Record<string, string> = Object.assign({}, ...files.map((file) => file.variables))
  const contexts: Record<string, Record<string, string>> = {}
  for (const file of files)
    for (const [name, own] of Object.entries(file.contexts)) contexts[name] = { ...contexts[name], ...own }
  for (const given of env) {
    const [, name, , value] = /^([A-Za-z_][A-Za-z0-9_]*)(=(.*))?$/s.exec(given) ?? []
    if (name === undefined) throw new UsageProblem('Cannot use what --env gives as it must be NAME=value or NAME')
    const found = value ?? process.env[name]
    if (found === undefined) throw new UsageProblem(`Cannot use --env ${name} as this shell has no such variable`)
    variables[name] = found
  }
  return { variables, contexts }
}

/** Every context that a job asks for: one that no env file has is there, and empty. */
function contextsOf({ planned, secrets, options }: Work, board: Board): Secrets['contexts'] {
  const wanted = new Set(planned.plan.workflows.flatMap(({ jobs }) => jobs.flatMap((job) => job.contexts)))
  const missing = [...wanted].filter((name) => !Object.hasOwn(secrets.contexts, name))
  if (missing.length > 0 && !options.quiet)
    board.say(`No env file has [${missing.join('], [')}]: contexts of these names are empty`)
  return { ...Object.fromEntries(missing.map((name) => [name, {}])), ...secrets.contexts }
}

function slotsOf(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageProblem(`Cannot run ${text} jobs at once: it must be 1 to 999`)
  return Number(text)
}

/** The setting agent-options, as flags by their names. */
function flagsOf(settings: Settings): Record<string, string> {
  const words = readAgentOptions(
    settings['agent-options'].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '),
  )
  const flags: Record<string, string> = {}
  for (let i = 0; i < words.length; i++) {
    const name = words[i]?.slice(2) ?? ''
    flags[name] = name === 'no-network' ? '' : (words[++i] ?? '')
  }
  return flags
}

const mostKept = 10

/** The folder of this run's results; those of older runs go. */
async function newResults(folder: string): Promise<string> {
  const all = join(folder, 'results')
  await mkdir(all, { recursive: true })
  await forgetOld(all, mostKept - 1)
  for (let number = Number((await runsIn(all))[0] ?? 0) + 1; ; number++) {
    const made = join(all, String(number))
    // Another run may take the same number first.
    if (
      await mkdir(made).then(
        () => true,
        () => false,
      )
    )
      return made
  }
}

const screen = {
  write: (text: string) => void process.stdout.write(text),
  isTerminal: process.stdout.isTTY && process.env['TERM'] !== 'dumb',
  colours: process.stdout.isTTY && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb',
  size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // Otherwise it would keep Ctrl-C for itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}

/** The first Ctrl-C cancels, the second kills. */
function interruption(board: Board) {
  const first = new AbortController()
  let kill = async () => {}
  let at = -Infinity
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A terminal and whoever started us may both pass on the same Ctrl-C.
      if (performance.now() - at < 200) return
      if (first.signal.aborted) return void kill().finally(() => process.exit(130))
      at = performance.now()
      first.abort()
      board.say('Canceling; once more kills what still runs')
    })
  }
  return { signal: first.signal, onKill: (how: () => Promise<void>) => void (kill = how) }
}
