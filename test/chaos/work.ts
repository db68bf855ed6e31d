import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A step that prints so many numbered lines with a wait after each, or so many without any wait. It may wait before that, for as long as
 * is needed on a machine that is busy: until the witness lets it go, or until it is stopped, where only its second attempt may end.
 */
export type Work =
  | {
      readonly name: string
      readonly lines: number
      readonly waitMs: number
      readonly until?: 'let-go' | 'second-attempt'
    }
  | { readonly name: string; readonly bulk: number }

/** The jobs of a workflow: what each needs and does. */
export type Plan = Readonly<
  Record<
    string,
    {
      readonly needs?: readonly string[]
      readonly checkout?: 'first' | 'last'
      readonly work: readonly Work[]
      /** Steps of other kinds behind them, each as one line of the configuration. */
      readonly then?: readonly string[]
    }
  >
>

/** A file outside of everything, to which each step adds a line when it begins, and beside it another for its end. */
export interface Witness {
  readonly path: string
  /** `<job number> <job> <step>`, as often as the step began. */
  runs(): readonly string[]
  /** The same for the ends of steps. */
  ends(): readonly string[]
  /** Lets all steps go on that wait for it. */
  letGo(): void
}

const goFile = (path: string): string => `${path}-go`

/** Makes an empty witness. */
export function makeWitness(folder: string): Witness {
  const path = join(folder, 'witness')
  const lines = (file: string) => () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  for (const file of [path, `${path}-ends`]) appendFileSync(file, '')
  return { path, runs: lines(path), ends: lines(`${path}-ends`), letGo: () => appendFileSync(goFile(path), '') }
}

/** The configuration that does a plan. */
export function configOf(plan: Plan, witness: Witness): string {
  const jobs = Object.entries(plan).flatMap(([name, { checkout, work, then = [] }]) => [
    `  ${name}:`,
    '    machine: true',
    '    steps:',
    ...(checkout === 'first' ? ['      - checkout'] : []),
    ...work.flatMap((step) => [
      '      - run:',
      `          name: ${step.name}`,
      '          command: |',
      ...script(name, step, witness).map((line) => `            ${line}`),
    ]),
    ...then.map((step) => `      - ${step}`),
    ...(checkout === 'last' ? ['      - checkout'] : []),
  ])
  const graph = Object.entries(plan).flatMap(([name, { needs }]) =>
    needs ? [`      - ${name}:`, `          requires: [${needs.join(', ')}]`] : [`      - ${name}`],
  )
  return ['version: 2.1', 'jobs:', ...jobs, 'workflows:', '  ci:', '    jobs:', ...graph, ''].join('\n')
}

function script(job: string, step: Work, { path }: Witness): readonly string[] {
  const note = (file: string) => `echo "$SERVICE_BUILD_NUM ${job} ${step.name}" >> '${file}'`
  const print =
    'bulk' in step
      ? `seq -f '${job} ${step.name} %.0f' 1 ${step.bulk}`
      : `for i in $(seq 1 ${step.lines}); do echo "${job} ${step.name} $i"; sleep ${step.waitMs / 1000}; done`
  const may = { 'let-go': `[ -e '${goFile(path)}' ]`, 'second-attempt': `[ "$SERVICE_BUILD_NUM" != ${firstJob} ]` }
  const wait =
    'until' in step
      ? // Without its witness it could wait for ever; and what it prints meanwhile tells that it has begun.
        [
          `while [ -e '${path}' ] && ! ${may[step.until]}; do ${step.until === 'let-go' ? '' : 'echo waiting; '}sleep 0.1; done`,
        ]
      : []
  return [note(path), ...wait, print, note(`${path}-ends`)]
}

/** The push that made the project is skipped: generation 1.1 shows it as build 1, which never ran. */
export const firstJob = 2

/** What a step must have printed when it has ended. */
export function printed(job: string, step: Work): string {
  const count = 'bulk' in step ? step.bulk : step.lines
  return Array.from({ length: count }, (_, i) => `${job} ${step.name} ${i + 1}\n`).join('')
}

const slow = (name: string, lines = 12): Work => ({ name, lines, waitMs: 30 })

/** Fan-out and fan-in, steps that take their time, and two large outputs (2.5 MB each): some 3 seconds on two slots. */
export const diamond: Plan = {
  first: { work: [slow('a'), slow('b', 8)] },
  left: { needs: ['first'], work: [slow('a'), { name: 'bulk', bulk: 150_000 }, slow('c', 6)] },
  middle: { needs: ['first'], work: [slow('a', 20)] },
  right: { needs: ['first'], work: [{ name: 'bulk', bulk: 150_000 }, slow('b')] },
  last: { needs: ['left', 'middle', 'right'], work: [slow('a', 6)] },
}
