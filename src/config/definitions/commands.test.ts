import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, commandsOf, messagesOf, planOf, problemsOf, withSteps } from '#config/scenario.ts'

/** A command `greet` with these parameters, each echoed. */
const greet = (parameters: string, text: string) =>
  `commands:\n  greet:\n    parameters: ${parameters}\n    steps: [{run: 'echo ${text}'}]`

test('a command is replaced by its steps, with and without arguments', () => {
  const commands = greet('{who: {type: string, default: world}}', '<< parameters.who >>')
  const plan = planOf(withSteps('- greet\n- greet: {who: you}\n- greet: {}\n- greet:\n', commands))
  assert.deepEqual(commandsOf(plan), ['echo world', 'echo you', 'echo world', 'echo world'])
})

test('commands call commands, and an argument means what it means to the caller', () => {
  const commands = [
    'commands:',
    '  outer: {parameters: {x: {type: string}}, steps: [{inner: {x: "<< parameters.x >>-<< parameters.x >>"}}]}',
    '  inner: {parameters: {x: {type: string}}, steps: [{run: echo << parameters.x >>}]}',
  ].join('\n')
  assert.deepEqual(commandsOf(planOf(withSteps('- outer: {x: a}', commands))), ['echo a-a'])
})

test('a command does not see the parameters of its caller', () => {
  const commands = [
    'commands:',
    '  outer: {parameters: {x: {type: string}}, steps: [inner]}',
    '  inner: {steps: [{run: echo << parameters.x >>}]}',
  ].join('\n')
  assert.deepEqual(problemsOf(withSteps('- outer: {x: a}', commands)), [
    '4:25 workflow: workflow > job: build > command: outer > command: inner | Arguments referenced without declared parameters: parameters.x',
  ])
})

test('a command may take the name of a built-in step and use that step inside', () => {
  const commands = 'commands: {checkout: {steps: [checkout, {run: git lfs pull}]}}'
  assert.deepEqual(commandsOf(planOf(withSteps('- checkout', commands))), ['checkout', 'git lfs pull'])
})

test('an argument of type steps is expanded where it was written', () => {
  const commands = [
    'commands:',
    '  around: {parameters: {inside: {type: steps, default: [{run: usual}]}}, steps: [{run: before}, {steps: << parameters.inside >>}, {run: after}]}',
    '  twice: {parameters: {what: {type: steps}}, steps: [{around: {inside: << parameters.what >>}}, << parameters.what >>]}',
    '  say: {parameters: {t: {type: string}}, steps: [{run: echo << parameters.t >>}]}',
  ].join('\n')
  const plan = planOf(withSteps('- around\n- twice: {what: [{say: {t: \\<< parameters.t >>}}]}', commands))
  assert.deepEqual(commandsOf(plan), [
    'before',
    'usual',
    'after',
    'before',
    'echo << parameters.t >>',
    'after',
    'echo << parameters.t >>',
  ])
})

test('an argument of every type arrives as itself', () => {
  const commands = [
    'commands:',
    '  all:',
    '    parameters:',
    '      s: {type: string}',
    '      b: {type: boolean}',
    '      i: {type: integer}',
    '      e: {type: enum, enum: [x, y]}',
    '      v: {type: env_var_name}',
    '    steps:',
    '      - run: {command: "<< parameters.s >>/<< parameters.b >>/<< parameters.i >>/<<parameters.e>>/$<< parameters.v >>", background: << parameters.b >>}',
  ].join('\n')
  const plan = planOf(withSteps('- all: {s: "1", b: on, i: 7, e: y, v: TOKEN_1}', commands))
  const [step] = bodyOf(plan).steps
  assert.deepEqual(commandsOf(plan), ['1/true/7/y/$TOKEN_1'])
  assert.equal(step?.type === 'run' && step.background, true)
})

const misfits: readonly (readonly [type: string, argument: string, message: string])[] = [
  ['{type: boolean}', '"true"', 'expected type: boolean, actual value: "true" (type string)'],
  ['{type: string}', 'true', 'expected type: string, actual value: "true" (type boolean)'],
  ['{type: string}', '3.10', 'expected type: string, actual value: "3.1" (type number)'],
  ['{type: integer}', 'many', 'expected type: integer, actual value: "many" (type string)'],
  ['{type: enum, enum: [a, b]}', 'c', 'expected type: enum (one of a, b), actual value: "c" (type string)'],
  ['{type: env_var_name}', 'not-a-name', 'expected type: env_var_name, actual value: "not-a-name" (type string)'],
  ['{type: executor}', '[a]', 'expected type: executor, actual value: […] (type list)'],
]

for (const [type, argument, message] of misfits) {
  test(`${argument} is no argument for ${type}`, () => {
    const commands = `commands: {c: {parameters: {x: ${type}}, steps: [checkout]}}`
    assert.deepEqual(messagesOf(withSteps(`- c: {x: ${argument}}`, commands)), [
      `Type error for argument x: ${message}`,
    ])
  })
}

test('missing and unexpected arguments are told together', () => {
  const commands = greet('{who: {type: string}, how: {type: string}}', '<< parameters.who >>')
  assert.deepEqual(messagesOf(withSteps('- greet: {whom: x, other: y}', commands)), [
    'Missing required argument(s): who, how',
    'Unexpected argument(s): whom, other. Did you mean [who]?',
  ])
})

test('what is wrong with a declaration of parameters is told', () => {
  const declarations = [
    ['{x: {default: a}}', 'required key [type] not found'],
    [
      '{x: {type: text}}',
      '[type] Input not a valid enum value: text. Valid values: string, boolean, integer, enum, executor, steps, env_var_name',
    ],
    ['{x: {type: enum}}', 'A parameter of type enum must list its values under [enum]'],
    ['{x: {type: string, defualt: a}}', 'extraneous key [defualt] is not permitted. Did you mean [default]?'],
    [
      '{x: {type: boolean, default: 1}}',
      'Type error for argument x: expected type: boolean, actual value: "1" (type integer)',
    ],
    ['[x]', '[parameters] expected type: Mapping, found: Sequence'],
  ]
  const found = declarations.map(
    ([parameters]) => messagesOf(withSteps('- c', `commands: {c: {parameters: ${parameters}, steps: [checkout]}}`))[0],
  )
  assert.deepEqual(
    found,
    declarations.map(([, message]) => message),
  )
})

test('a parameter of a job cannot have a name that already means something there', () => {
  const source =
    'version: 2.1\njobs: {build: {parameters: {context: {type: string, default: ""}}, machine: true, steps: [checkout]}}'
  assert.deepEqual(messagesOf(source), ['Cannot use the reserved name context for a parameter of a job'])
})

test('a condition decides which steps there are', () => {
  const steps = [
    '- when: {condition: true, steps: [{run: a}]}',
    '- when: {condition: "", steps: [{run: b}]}',
    '- unless: {condition: {equal: [1, 2]}, steps: [{run: c}, {when: {condition: {and: [yes, 1]}, steps: [{run: d}]}}]}',
    '- when: {condition: {matches: {pattern: "m.*", value: << pipeline.git.branch >>}}, steps: {run: e}}',
  ].join('\n')
  assert.deepEqual(commandsOf(planOf(withSteps(steps))), ['a', 'c', 'd', 'e'])
})

test('lists of steps inside of lists are spliced in', () => {
  const plan = planOf(
    withSteps('- *common\n- [{run: b}, [{run: c}]]\n- steps: [{run: d}]', 'x: &common [checkout, {run: a}]'),
  )
  assert.deepEqual(commandsOf(plan), ['checkout', 'a', 'b', 'c', 'd'])
})
