import { parameterKeys, pipelineTypes, types } from './definitions/parameters.ts'
import { orbKeys } from './definitions/orbs.ts'
import { imageKeys } from './executors/docker.ts'
import { machineKeys, macosKeys } from './executors/machine.ts'
import { definitionKeys } from './expand-job.ts'
import { executorKeys } from './read-job.ts'
import { builtIn } from './steps/read-step.ts'
import type { StepKind } from './steps/step-kind.ts'
import { kinds, ownKeys, synthetic } from './workflows/expand-invocation.ts'
import { workflowKeys } from './workflows/expand-workflow.ts'

/*
 * The language as editors want it told. Which keys there are comes from the lists that the compiler checks against;
 * a value may be a template wherever the compiler allows one, so that a text is welcome almost everywhere.
 */

type Json = Readonly<Record<string, unknown>> | boolean

const ref = (name: string): Json => ({ $ref: `#/definitions/${name}` })
const anyOf = (...forms: readonly Json[]): Json => ({ anyOf: forms })
const listOf = (items: Json): Json => ({ type: 'array', items })
const mapOf = (values: Json): Json => ({ type: ['object', 'null'], additionalProperties: values })
const text: Json = { type: 'string' }
const scalar: Json = { type: ['string', 'number', 'boolean', 'null'] }

/** A mapping with these keys and no others; what is known of a value is told by key. */
function only(
  keys: Iterable<string>,
  known: Readonly<Record<string, Json>> = {},
  required: readonly string[] = [],
): Json {
  const properties = Object.fromEntries([...new Set(keys)].map((key) => [key, known[key] ?? true]))
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 && { required }) }
}

/** A JSON Schema (draft 7) of the configuration language. */
export function configSchema(): Json {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of a pipeline',
    type: 'object',
    required: ['version'],
    properties: {
      version: { enum: [2, 2.1, '2', '2.0', '2.1'] },
      setup: { type: 'boolean' },
      parameters: mapOf(ref('pipelineParameter')),
      orbs: mapOf(anyOf(text, ref('orb'))),
      commands: mapOf(ref('command')),
      executors: mapOf(ref('executor')),
      jobs: mapOf(ref('job')),
      'job-groups': mapOf(only(['jobs'], { jobs: ref('invocations') }, ['jobs'])),
      workflows: {
        type: ['object', 'null'],
        properties: { version: { enum: [2, 2.1, '2', '2.0', '2.1'] } },
        additionalProperties: ref('workflow'),
      },
    },
    definitions: { ...values(), ...definitions(), ...flows() },
  }
}

function values(): Readonly<Record<string, Json>> {
  const list = anyOf(mapOf(scalar), listOf(anyOf(text, mapOf(scalar))), text)
  const parameter = (allowed: readonly string[]) =>
    only(parameterKeys, { type: { enum: allowed }, enum: listOf(scalar), description: text }, ['type'])
  return { environment: list, parameter: parameter(types), pipelineParameter: parameter(pipelineTypes) }
}

function definitions(): Readonly<Record<string, Json>> {
  const parameters = mapOf(ref('parameter'))
  const images = anyOf(
    text,
    listOf(anyOf(text, only(imageKeys, { image: text, environment: ref('environment') }, ['image']))),
  )
  const ground = {
    docker: images,
    machine: anyOf(scalar, only(machineKeys)),
    macos: anyOf(text, only(macosKeys)),
    environment: ref('environment'),
    parameters,
    description: text,
    working_directory: text,
    resource_class: text,
  }
  const job = {
    ...ground,
    type: { enum: kinds },
    steps: ref('steps'),
    parallelism: { type: ['integer', 'string', 'null'] },
  }
  return {
    steps: anyOf(text, listOf(ref('step')), { type: 'null' }),
    step: anyOf(text, {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      properties: stepForms(),
      additionalProperties: true,
    }),
    command: anyOf(
      text,
      only(['description', 'parameters', 'steps'], { description: text, parameters, steps: ref('steps') }, ['steps']),
    ),
    executor: anyOf(text, only([...executorKeys, 'parameters', 'description'], ground)),
    job: anyOf(text, only([...definitionKeys, ...synthetic], job)),
    orb: {
      type: 'object',
      properties: {
        ...Object.fromEntries(orbKeys.map((key) => [key, true])),
        commands: mapOf(ref('command')),
        executors: mapOf(ref('executor')),
        jobs: mapOf(ref('job')),
        orbs: mapOf(anyOf(text, ref('orb'))),
      },
    },
  }
}

/** A command may have the name of a built-in step: what is given to it can be anything, so editors are only told the keys. */
function stepForms(): Readonly<Record<string, Json>> {
  const conditional = only(['condition', 'steps'], { steps: ref('steps') }, ['condition', 'steps'])
  const known = [...builtIn].map(([name, kind]) => [name, stepForm(kind)] as const)
  return { ...Object.fromEntries(known), when: conditional, unless: conditional, steps: ref('steps') }
}

function stepForm({ keys, shorthand, bare, isTolerant }: StepKind): Json {
  const full = only(keys, { name: text, environment: ref('environment') })
  const open = isTolerant && typeof full === 'object' ? { ...full, additionalProperties: true } : full
  return anyOf(...(shorthand !== undefined ? [text] : []), ...(bare ? [{ type: 'null' }] : []), open)
}

function flows(): Readonly<Record<string, Json>> {
  const names = anyOf(text, listOf(text))
  const filter = anyOf({ type: 'null' }, only(['only', 'ignore'], { only: names, ignore: names }))
  const own = {
    type: { enum: kinds },
    name: text,
    requires: anyOf(text, listOf(anyOf(text, mapOf(names)))),
    context: names,
    filters: anyOf(text, { type: 'null' }, only(['branches', 'tags'], { branches: filter, tags: filter })),
    matrix: only(['parameters', 'exclude', 'alias'], { alias: text }, ['parameters']),
    'pre-steps': ref('steps'),
    'post-steps': ref('steps'),
    'serial-group': text,
    'override-with': text,
  }
  // Whatever else is said about a job is an argument of it.
  const said: Json = {
    type: ['object', 'null'],
    properties: Object.fromEntries([...ownKeys].map((key) => [key, own[key as keyof typeof own]])),
  }
  const schedule = only(['cron', 'filters'], { cron: text }, ['cron', 'filters'])
  return {
    invocations: listOf(
      anyOf(text, { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: said }),
    ),
    workflow: only(
      workflowKeys,
      { jobs: anyOf({ type: 'null' }, ref('invocations')), triggers: listOf(only(['schedule'], { schedule })) },
      ['jobs'],
    ),
  }
}
