import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, commandsOf, messagesOf, planOf, withSteps } from '#config/scenario.ts'

const parameters = [
  'parameters:',
  '  text: {type: string, default: hello}',
  '  none: {type: string, default: ""}',
  '  yes: {type: boolean, default: true}',
  '  n: {type: integer, default: 3}',
].join('\n')

const texts: readonly (readonly [written: string, becomes: string])[] = [
  ['echo << pipeline.parameters.text >>', 'echo hello'],
  ['<<pipeline.parameters.text>>, <<\tpipeline.parameters.n\t>>', 'hello, 3'],
  ['<< pipeline.parameters.yes >>', 'true'],
  ['cat \\<<EOF', 'cat <<EOF'],
  ['cat \\<<< text', 'cat <<< text'],
  ['C:\\\\<< pipeline.parameters.text >>', 'C:\\hello'],
  ['a\\b << pipeline.parameters.n >>', 'a\\b 3'],
  ['[<< pipeline.git.tag >>]', '[]'],
  ['<< pipeline.number >>', '12'],
  ['<< pipeline.number > 10 and "many" or "few" >>', 'many'],
  [
    'x<<# pipeline.parameters.yes >>yes<</ pipeline.parameters.yes >><<^ pipeline.parameters.yes >>no<</ pipeline.parameters.yes >>',
    'xyes',
  ],
  ['x<<# pipeline.parameters.none >>not << parameters.unseen >><</ pipeline.parameters.none >>', 'x'],
]

for (const [written, becomes] of texts) {
  test(`${written} becomes ${becomes}`, () => {
    const source = withSteps(`- run: '${written.replaceAll('\t', ' ')}'`, parameters)
    assert.deepEqual(commandsOf(planOf(source, { values: { 'git.branch': 'main', number: 12 } })), [becomes])
  })
}

test('a tag alone keeps the type of its value, and works in keys', () => {
  const source = withSteps(
    '- run: {command: a, background: << pipeline.parameters.yes >>, environment: {"<< pipeline.parameters.text >>": << pipeline.parameters.n >>}}',
    parameters,
  )
  const [step] = bodyOf(planOf(source)).steps
  assert.ok(step?.type === 'run')
  assert.deepEqual([step.background, step.environment], [true, [['hello', '3']]])
})

test('what was put in is not looked at again', () => {
  const given = { parameters: { text: '<< pipeline.parameters.n >> \\<<' } }
  assert.deepEqual(commandsOf(planOf(withSteps('- run: echo << pipeline.parameters.text >>', parameters), given)), [
    'echo << pipeline.parameters.n >> \\<<',
  ])
})

test('version 2 leaves every text as it is', () => {
  const source = 'version: 2\njobs: {build: {machine: true, steps: [{run: "cat <<EOF << parameters.x >> \\\\<<"}]}}'
  assert.deepEqual(commandsOf(planOf(source)), ['cat <<EOF << parameters.x >> \\<<'])
})

const mistakes: readonly (readonly [written: string, message: string])[] = [
  ['cat <<EOF', "Unclosed '<<' tag in string: 'cat <<EOF'"],
  [
    '<< pipeline.parameters.txet >>',
    'Referred to a variable "pipeline.parameters.txet" that does not exist. Did you mean [pipeline.parameters.text]?',
  ],
  [
    '<< pipeline.git.brnch >>',
    'Referred to a variable "pipeline.git.brnch" that does not exist. Did you mean [pipeline.git.branch]?',
  ],
  ['<< parameters.x >>', 'Arguments referenced without declared parameters: parameters.x'],
  ['<< matrix.x >>', 'Arguments referenced without declared parameters: matrix.x'],
  ['<< include(file) >>', 'Cannot understand << include(file) >>: Unexpected additional input:'],
  ['a <<# pipeline.parameters.yes >> b', 'Unclosed section in string: << # pipeline.parameters.yes >>'],
]

for (const [written, message] of mistakes) {
  test(`${written} is refused`, () => {
    assert.deepEqual(messagesOf(withSteps(`- run: '${written}'`, parameters)), [message])
  })
}
