import { setTimeout as pause } from 'node:timers/promises'
import { getPipelineByNumber, listPipelineWorkflows } from '#contract/v2/pipeline.ts'
import { listWorkflowJobs, type WorkflowJob } from '#contract/v2/workflow.ts'
import type { Scene } from './scene.ts'
import { settingsScenes } from './settings-scenes.ts'
import { patience } from './eventually.ts'
import type { Stage } from './stage.ts'

const shop = `version: 2.1
jobs:
  prepare:
    machine: true
    steps:
      - checkout
      - run: { name: Install, command: "printf 'added 214 packages in 3 s\\\\n'" }
  test:
    machine: true
    parallelism: 2
    steps:
      - checkout
      - run: { name: Unit tests, command: sh test.sh }
      - store_artifacts: { path: report, destination: report }
  lint:
    machine: true
    steps:
      - run: { name: Lint, command: "echo 'no problems in 81 files'; sleep 1" }
  docs:
    machine: true
    steps:
      - run: { name: Build the documents, command: "echo done; sleep 2" }
  deploy:
    machine: true
    steps:
      - run: echo deployed
workflows:
  build-and-deploy:
    jobs:
      - prepare
      - test: { requires: [prepare] }
      - lint: { requires: [prepare] }
      - docs: { requires: [prepare] }
      - confirm: { type: approval, requires: [test, lint] }
      - deploy: { requires: [confirm] }
  nightly:
    jobs: [lint]
`

const testScript = `mkdir -p report/html
echo '<h1>Report</h1><p>All 128 tests passed.</p>' > report/html/index.html
printf 'lines 91.2 %%\\nbranches 84.0 %%\\n' > report/coverage.txt
for i in $(seq 60); do printf '\\033[32m✓\\033[0m test %s \\033[2m(%s ms)\\033[0m\\n' $i $((i * 3)); done
printf '\\033[33mwarning\\033[0m: 2 slow tests\\n'
`

const failing = `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - checkout
      - run: { name: Compile, command: "for i in $(seq 400); do echo compiling module $i; done" }
      - run:
          name: Unit tests
          command: |
            echo 'running 12 tests'
            printf '\\033[31mFAIL\\033[0m billing: rounds half to even\\n  expected 2.50\\n  received 2.49\\n'
            exit 1
      - run: { name: Upload, command: "echo never" }
      - store_test_results: { path: results }
  package:
    machine: true
    steps: [{ run: "echo packaged" }]
workflows:
  main:
    jobs:
      - build
      - package: { requires: [build] }
`

const billingTests = `<testsuite name="billing" tests="3">
<testcase classname="billing" name="rounds half to even" file="test/billing.test.js" time="0.21">
<failure message="expected 2.50">received 2.49 at test/billing.test.js:41:12</failure>
<system-out>rounding 2.495 with mode half-even
rounding 2.485 with mode half-even</system-out></testcase>
<testcase classname="billing" name="adds taxes" file="test/billing.test.js" time="0.08"/>
<testcase classname="invoice" name="prints the address" file="test/invoice.test.js" time="1.4"/>
</testsuite>
`

/** Fills a server with projects as people have them, and names the pages to look at. */
export async function play(stage: Stage): Promise<readonly Scene[]> {
  const files = { 'test.sh': testScript }
  await stage.push('webshop', { config: shop, files, subject: 'Let customers choose a time slot for delivery' })
  await stage.push('billing', {
    config: failing,
    files: { 'results/unit.xml': billingTests },
    subject: 'Round amounts half to even',
    branch: 'rounding',
  })
  await stage.push('handbook', {
    config: 'version: 2.1\njobs:\n  build:\n    machine: true\n    stepz: []\n',
    subject: 'Describe the release process',
  })
  const held = await until(stage, 'webshop', (jobs) => jobs.some((job) => job.status === 'on_hold'))
  const broken = await until(stage, 'billing', (jobs) => jobs.some((job) => job.status === 'failed'))
  const job = (found: Found, name: string) => `${found.path}/jobs/${found.jobs.find((one) => one.name === name)?.id}`
  return [
    { name: 'dashboard', path: '/', ready: '.ways' },
    { name: 'pipelines', path: '/pipelines', ready: '.pipeline' },
    { name: 'project', path: '/pipelines/provider-a/admin/webshop', ready: '.pipeline' },
    { name: 'pipeline', path: '/pipelines/provider-a/admin/webshop/1', ready: '.workflow-row' },
    { name: 'pipeline-config', path: '/pipelines/provider-a/admin/webshop/1?view=config', ready: '.source' },
    { name: 'pipeline-error', path: '/pipelines/provider-a/admin/handbook/1', ready: '.errors' },
    { name: 'workflow-held', path: held.path, ready: '.graph .job' },
    { name: 'workflow-timing', path: `${held.path}?view=timing`, ready: '.waterfall' },
    { name: 'workflow-failed', path: broken.path, ready: '.failure' },
    { name: 'job-failed', path: job(broken, 'build'), ready: '.log-line' },
    { name: 'job-nodes', path: job(held, 'test'), ready: '.nodes' },
    { name: 'job-search', path: `${job(broken, 'build')}?find=module`, ready: '.found' },
    { name: 'job-artifacts', path: `${job(held, 'test')}?view=artifacts`, ready: '.artifacts' },
    { name: 'job-tests', path: `${job(broken, 'build')}?view=tests`, ready: '.failure', open: 'Output' },
    { name: 'job-artifact', path: `${job(held, 'test')}?view=artifacts`, ready: '.artifacts', open: 'index.html' },
    { name: 'job-times', path: job(broken, 'build'), ready: '.log-line', open: 'Times' },
    { name: 'not-found', path: '/no/such', ready: 'h1' },
    ...(await settingsScenes(stage, 'webshop')),
  ]
}

/** A workflow as far as it has come. */
export interface Found {
  readonly path: string
  readonly jobs: readonly WorkflowJob[]
}

/** The first workflow of the first pipeline of a project, once its jobs are as wanted. */
export async function until(
  stage: Stage,
  repo: string,
  wanted: (jobs: readonly WorkflowJob[]) => boolean,
): Promise<Found> {
  const slug = { provider: 'provider-a', org: 'admin', repo }
  const { id } = await stage.callV2(getPipelineByNumber, { params: { ...slug, pipeline_number: 1 } })
  for (const end = Date.now() + patience; Date.now() < end; await pause(100)) {
    const { items } = await stage.callV2(listPipelineWorkflows, { params: { pipeline_id: id }, query: {} })
    for (const workflow of items) {
      const { items: jobs } = await stage.callV2(listWorkflowJobs, { params: { id: workflow.id }, query: {} })
      if (wanted(jobs)) return { path: `/pipelines/provider-a/admin/${repo}/1/workflows/${workflow.id}`, jobs }
    }
  }
  throw new Error(`Cannot show ${repo}: its jobs never were as wanted`)
}
