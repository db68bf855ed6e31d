import { parse } from 'yaml'
import { compile } from '#config/compile.ts'
import { type Figure, median } from './figures.ts'

const rounds = 15

/** A configuration of about 12 lines for each of its jobs, which use two orbs, commands, executors, parameters and a matrix. */
function configOf(jobs: number): string {
  const names = Array.from({ length: jobs }, (_, i) => `job-${i}`)
  const head = `version: 2.1
parameters:
  deep: {type: boolean, default: false}
orbs:
  node: acme/node@5.1
  slack: acme/slack@4
executors:
  usual:
    parameters:
      tag: {type: string, default: "22.4"}
    docker:
      - image: cimg/node:<< parameters.tag >>
commands:
  build-one:
    parameters:
      name: {type: string}
    steps:
      - node/install
      - run: make << parameters.name >>
jobs:
`
  const bodies = names.map(
    (name, i) => `  ${name}:
    executor:
      name: usual
      tag: "20.${i}"
    environment:
      NAME: ${name}
    steps:
      - checkout
      - build-one: {name: ${name}}
      - when:
          condition: << pipeline.parameters.deep >>
          steps: [{run: make deep}]
      - slack/notify
`,
  )
  const flow = names.map((name, i) => (i < 4 ? `      - ${name}\n` : `      - ${name}: {requires: [job-${i - 4}]}\n`))
  return `${head}${bodies.join('')}workflows:\n  main:\n    jobs:\n${flow.join('')}`
}

const orb = (name: string, lines: number) => `description: ${name}
commands:
  ${name}:
    parameters:
      where: {type: string, default: .}
    steps:
      - run:
          name: ${name}
          command: |
${Array.from({ length: lines }, (_, i) => `            echo line ${i} of \${NAME} in << parameters.where >>`).join('\n')}
`

const texts: Readonly<Record<string, string>> = {
  'acme/node@5.1': orb('install', 40),
  'acme/slack@4': orb('notify', 40),
}
const orbs = (reference: string) => ({ text: texts[reference] ?? '', resolved: `${reference}.0` })

function compileOnce(source: string): void {
  const compiled = compile(source, { parameters: {}, values: { 'git.branch': 'main' }, orbs })
  if (!compiled.ok)
    throw new Error(`Cannot measure a configuration that does not compile: ${compiled.problems[0]?.message}`)
}

/** Turn by turn, so that a slow moment of the machine hits both. */
function medians(...works: readonly (() => void)[]): readonly number[] {
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds + 5; round++) {
    for (const [i, work] of works.entries()) {
      const from = performance.now()
      work()
      // The first rounds warm the engine up.
      if (round >= 5) times[i]!.push(performance.now() - from)
    }
  }
  return times.map(median)
}

/** What compiling costs, against the YAML library's parse of the same text, and how it grows with the text. */
export function configFigures(): readonly Figure[] {
  const [small, large] = [configOf(40), configOf(400)]
  const [compiled = 0, parsed = 1, grown = 0] = medians(
    () => compileOnce(small),
    () => void parse(small),
    () => compileOnce(large),
  )
  const ms = (time: number) => `${time.toFixed(1)} ms`
  const linesOf = (text: string) => text.split('\n').length
  return [
    {
      what: `compile, ${linesOf(small)} lines, two orbs`,
      ours: ms(compiled),
      floor: ms(parsed),
      ratio: compiled / parsed,
      goal: 3,
    },
    {
      what: `compile, ${linesOf(large)} lines`,
      ours: ms(grown),
      floor: ms(compiled * 10),
      ratio: grown / (compiled * 10),
      goal: 1.2,
    },
  ]
}
