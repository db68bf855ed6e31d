import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bodyOf, commandsOf, planOf, storyOf } from '#config/scenario.ts'

const old = readFileSync(new URL('../fixtures/old.yml', import.meta.url), 'utf8')
const owned = { 'git.repo_owner': 'acme' }
const on = (values: Record<string, string>) => planOf(old, { values: { ...owned, ...values } })
const names = (source: string) =>
  bodyOf(planOf(source)).steps.map(({ name, when }) => (when === 'on_success' ? name : `${name} (${when})`))

test('the phases of version 1.0 become the steps of one job, in their order', () => {
  const plan = on({ 'git.branch': 'master' })
  assert.equal(plan.version, '1.0')
  assert.deepEqual(storyOf(plan), ['workflow: build'])
  assert.deepEqual(
    bodyOf(plan).steps.map(({ type, name, when }) => `${type}: ${name}${when === 'on_success' ? '' : ` (${when})`}`),
    [
      'run: Prepare folders and variables',
      'run: Add host database',
      'run: Use node 6.5.0',
      'run: Start docker',
      'checkout: Checkout code',
      'restore_cache: Restoring cache',
      'run: sudo apt-get update',
      'run: npm install',
      'run: ./server',
      'save_cache: Saving cache',
      'run: bundle exec rake db:create',
      'run: npm test',
      'run: mocha (always)',
      'run: cp -r reports $CIRCLE_TEST_REPORTS (always)',
      'deploy: ./deploy.sh production',
      'store_test_results: Uploading test results (always)',
      'store_artifacts: Uploading artifacts (always)',
      'store_artifacts: Uploading artifacts (always)',
    ],
  )
})

test('what is said about a command is kept', () => {
  const steps = bodyOf(on({ 'git.branch': 'x' })).steps.flatMap((step) => (step.type === 'run' ? [step] : []))
  const said = (name: string) => {
    const step = steps.find((candidate) => candidate.name === name)
    return step && [step.command, step.noOutputTimeoutMs, step.workingDirectory, step.background, step.environment]
  }
  const usual = 600_000
  assert.deepEqual(said('npm install'), ['npm install', 1_200_000, undefined, false, [['LOG', 'quiet']]])
  assert.deepEqual(said('./server'), ['./server', usual, undefined, true, []])
  assert.deepEqual(said('npm test'), ['touch "$HOME/.circle-tests-begun"\nnpm test', usual, 'web', false, []])
  assert.match(
    String(said('mocha')?.[0]),
    /mocha \$\(circleci tests glob "test\/\*\*\/\*\.js" \| circleci tests split\)$/,
  )
})

test('variables that need a shell are set by one, the others for the whole job', () => {
  const body = bodyOf(on({ 'git.branch': 'x' }))
  assert.deepEqual(body.environment, [
    ['TZ', 'Europe/Berlin'],
    ['PLAIN', 'text'],
  ])
  assert.match(commandsOf(on({ 'git.branch': 'x' }))[0]!, /echo 'export PATH="\$HOME\/bin:\$PATH"' >> "\$BASH_ENV"/)
})

test('the first deployment that is meant runs, and no other', () => {
  const deployed = (values: Record<string, string>) =>
    bodyOf(on(values)).steps.flatMap((step) => (step.type === 'deploy' ? [step.command] : []))
  assert.deepEqual(deployed({ 'git.branch': 'master' }), ['./deploy.sh production'])
  assert.deepEqual(deployed({ 'git.branch': 'master', 'git.repo_owner': 'fork' }), [])
  assert.deepEqual(deployed({ 'git.branch': 'staging-1' }), [
    'git push -f git@heroku.com:acme-staging.git $CIRCLE_SHA1:refs/heads/master',
  ])
  assert.deepEqual(deployed({ 'git.branch': 'feature' }), [])
  assert.deepEqual(deployed({ 'git.tag': 'v1.2' }), ['./release.sh'])
})

test('a branch that is ignored and a tag that nothing deploys are not built', () => {
  assert.deepEqual(on({ 'git.branch': 'gh-pages' }).workflows, [])
  assert.deepEqual(on({ 'git.branch': 'wip-1' }).workflows, [])
  assert.deepEqual(on({ 'git.tag': 'other' }).workflows, [])
})

test('it is told why a branch is not built, and that there is no test', () => {
  const only = 'general: {branches: {only: [main, /release-.*/]}}'
  assert.equal(on({ 'git.branch': 'gh-pages' }).notBuilt, 'branch-blacklisted')
  assert.equal(on({ 'git.branch': 'master' }).notBuilt, undefined)
  assert.equal(planOf(only, { values: { 'git.branch': 'x' } }).notBuilt, 'branch-not-whitelisted')
  assert.equal(planOf(only, { values: { 'git.branch': 'release-1' } }).notBuilt, undefined)
  const old = (branches: string) =>
    `version: 2\njobs: {build: {machine: true, branches: ${branches}, steps: [checkout]}}`
  const reason = (branches: string) => planOf(old(branches), { values: { 'git.branch': 'x' } }).notBuilt
  assert.deepEqual(
    [reason('{only: [main]}'), reason('{ignore: [x]}'), reason('{ignore: [x], only: [x]}'), reason('{only: [x]}')],
    ['branch-not-whitelisted', 'branch-blacklisted', 'branch-blacklisted', undefined],
  )
  assert.equal(planOf('test: {override: []}').noTests, true)
  assert.equal(planOf('test: {override: [], post: [make]}').noTests, undefined)
  assert.equal(planOf('machine: {}').noTests, undefined)
})

test('a finished build is told to whoever is listed', () => {
  assert.deepEqual(on({ 'git.branch': 'x' }).notify, ['https://hooks.example.com/build'])
})

test('a phase that says nothing is worked out from the repository', () => {
  assert.deepEqual(names('machine: {node: {version: 4}}').slice(1, 4), [
    'Use node 4',
    'Checkout code',
    'Inferred dependencies',
  ])
  assert.deepEqual(names('test: {override: [make]}\ndependencies: {override: []}').slice(1, 3), [
    'Checkout code',
    'make',
  ])
})

test('modifiers beside their command count as if they were below it', () => {
  const source = 'test:\n  override:\n    - make:\n      background: true\n'
  const step = bodyOf(planOf(source)).steps.find(({ name }) => name === 'make')
  assert.equal(step?.type === 'run' && step.background, true)
})

test('an xcode makes it a job for a Mac', () => {
  assert.deepEqual(bodyOf(planOf('machine: {xcode: {version: 9.0}}')).executor, { type: 'macos', xcode: '9.0' })
})
