import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesOf, planOf, storyOf, withWorkflow } from '#config/scenario.ts'

const branches = ['main', 'develop', 'feature/x', 'release-1'].map((name) => ({ 'git.branch': name }))
const tags = ['v1.0', 'nightly'].map((name) => ({ 'git.tag': name }))

/** The refs for which a job with these filters runs. */
function runsOn(filters: string): readonly string[] {
  const source = withWorkflow(['a'], `jobs: [{a: {filters: ${filters}}}]`)
  const refs = [...branches, ...tags]
  return refs
    .filter((values) => planOf(source, { values }).workflows.length > 0)
    .flatMap((values) => Object.values(values))
}

const everyBranch = ['main', 'develop', 'feature/x', 'release-1']

const filters: readonly (readonly [filters: string, refs: readonly string[]])[] = [
  ['{}', everyBranch],
  ['{branches: {only: main}}', ['main']],
  ['{branches: {only: [main, /release-.*/]}}', ['main', 'release-1']],
  ['{branches: {only: /release/}}', []],
  ['{branches: {ignore: [main, /feature.*/]}}', ['develop', 'release-1']],
  ['{branches: {only: [main, develop], ignore: main}}', ['main', 'develop']],
  ['{tags: {only: /v.*/}}', [...everyBranch, 'v1.0']],
  ['{tags: {ignore: /v.*/}}', [...everyBranch, 'nightly']],
  ['{tags: {only: /.*/}, branches: {ignore: /.*/}}', ['v1.0', 'nightly']],
  ['pipeline.git.branch == "main"', ['main']],
  ['pipeline.git.branch != "main"', ['develop', 'feature/x', 'release-1']],
  ['pipeline.git.tag or pipeline.git.branch starts-with "f"', ['feature/x', 'v1.0', 'nightly']],
  ['"true"', [...everyBranch, 'v1.0', 'nightly']],
]

for (const [written, refs] of filters) {
  test(`${written} lets in ${refs.join(', ') || 'nothing'}`, () => assert.deepEqual(runsOn(written), refs))
}

test('a job without what it needs loses that need, and is out when it has lost them all', () => {
  const out = 'filters: {branches: {ignore: main}}'
  const jobs = `jobs: [a, {b: {${out}}}, {c: {requires: [a, b]}}, {d: {requires: [b]}}, {e: {requires: [d]}}]`
  assert.deepEqual(storyOf(planOf(withWorkflow(['a', 'b', 'c', 'd', 'e'], jobs))), ['main: a, c(a)'])
})

test('a configuration whose every workflow is filtered away is right, and has none', () => {
  assert.deepEqual(planOf(withWorkflow(['a'], 'jobs: [{a: {filters: {branches: {only: other}}}}]')).workflows, [])
})

test('what is filtered out must be right all the same', () => {
  const source = withWorkflow([], 'jobs: [{a: {filters: {branches: {only: other}}}}]').replace(
    'jobs:\n\n',
    'jobs: {a: {machine: true, steps: [{run: {}}]}}\n',
  )
  assert.deepEqual(messagesOf(source), ['required key [command] not found'])
})

test('a filter that cannot be understood is told', () => {
  const found = [
    '{branch: {only: main}}',
    '{branches: {olny: main}}',
    '{branches: {only: /(/}}',
    '{branches: main}',
    'pipeline.git.branch ==',
  ].map((written) => messagesOf(withWorkflow(['a'], `jobs: [{a: {filters: ${written}}}]`))[0])
  assert.deepEqual(found, [
    'extraneous key [branch] is not permitted. Did you mean [branches]?',
    'extraneous key [olny] is not permitted. Did you mean [only]?',
    'Cannot use pattern /(/: it misses a )',
    'expected type: Mapping, found: String',
    'Expected an expression:',
  ])
})

test('the branches of a job count where there are no workflows, and are refused where there are', () => {
  const job = (keys: string) => `version: 2\njobs: {build: {machine: true, steps: [checkout], branches: {${keys}}}}\n`
  const runs = (keys: string) => planOf(job(keys)).workflows.length > 0
  assert.deepEqual(
    [runs('only: main'), runs('only: x'), runs('ignore: main'), runs('only: main, ignore: main')],
    [true, false, false, false],
  )
  assert.deepEqual(messagesOf(`${job('only: main')}workflows: {w: {jobs: [build]}}`), [
    'Job "build" has filters configured in the job definition. These filters are incompatible with workflows.',
  ])
})
