import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readLines } from '#contract/rh/log.ts'
import { lane } from '#test/lanes.ts'
import { counts, eventually } from './eventually.ts'
import { until } from './play.ts'
import { oneJob, waitFor } from './repository.ts'
import { openStage, type Stage } from './stage.ts'

const browser = lane('browser')

const failsOnce = `version: 2.1
jobs:
  build:
    machine: true
    steps: [{ run: "echo built" }]
  test:
    machine: true
    steps:
      - checkout
      - run: { name: Prepare, command: "for i in $(seq 3000); do echo preparing number $i; done" }
      - run: { name: Unit tests, command: "sh test.sh" }
      - store_test_results: { path: results }
workflows:
  main:
    jobs:
      - build
      - test: { requires: [build] }
`

/** Fails until somebody mends it, and tells of two tests, one of which cannot be relied on. */
const testScript = (mended: string) => `mkdir -p results
result='<failure message="expected 2.50">received 2.49</failure><system-out>rounding 2.495&#10;&lt;img src=x onerror=1&gt;</system-out>'
[ -e '${mended}' ] && result=''
cat > results/unit.xml <<END
<testsuite name="unit"><testcase classname="billing" name="rounds half to even" file="billing.js" time="0.2">$result</testcase>
<testcase classname="billing" name="adds up" file="billing.js" time="0.1"/></testsuite>
END
echo all is well
[ -e '${mended}' ] && exit 0
echo 'FAIL rounding'
exit 7
`

const evil = '<img src=x onerror="window.pwned=1">'
const evilXml = evil.replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const link = '\\033]8;;javascript:alert(1)\\007link\\033]8;;\\007'

describe('the pages, for somebody who has something to mend', { skip: browser.reason }, () => {
  let stage: Stage
  let page: Page
  before(async () => {
    assert.ok(browser.on)
    stage = await openStage(browser.path)
    page = stage.page
    await stage.signIn()
  })
  after(() => stage?.[Symbol.asyncDispose]())

  const mended = () => join(stage.folder, 'mended')
  const failed = () => until(stage, 'failing', (jobs) => jobs.some((job) => job.status === 'failed'))

  test('lead from what is broken to the line that says why', async () => {
    await stage.push('failing', { config: failsOnce, files: { 'test.sh': testScript(mended()) } })
    await failed()
    await stage.go('/pipelines?look=broken')
    await page.getByRole('link', { name: /^main ?: / }).click()
    const what = page.getByRole('region', { name: 'What failed' })
    await what.getByText('Step “Unit tests” ended with exit code 7').waitFor()
    await what.getByText('FAIL rounding').waitFor()
    await what.getByRole('link', { name: /Open the log at line/ }).click()
    const log = page.getByRole('log', { name: 'Output of Unit tests' })
    await log.getByText('FAIL rounding', { exact: true }).waitFor()
    await log.locator('.marked').waitFor()
    await page.waitForURL(/#s\d+L\d+$/)
  })

  test('search the logs of all steps on the server, and open the line that was found', async () => {
    const { path, jobs } = await failed()
    await stage.go(`${path}/jobs/${jobs.find(({ name }) => name === 'test')?.id}`)
    await page.getByLabel('Search the logs').fill('NUMBER 1234')
    await page.keyboard.press('Enter')
    await page.getByText('One line').waitFor()
    await page.getByRole('link', { name: /preparing number 1234/ }).click()
    const log = page.getByRole('log', { name: 'Output of Prepare' })
    await log.locator('.marked', { hasText: 'preparing number 1234' }).waitFor()
    await page.waitForURL(/find=NUMBER\+1234.*#s\d+L1234$/)
    await page.reload()
    await log.locator('.marked', { hasText: 'preparing number 1234' }).waitFor()
  })

  test('run a workflow again from what failed, and keep what succeeded', async () => {
    const { path } = await failed()
    await stage.go(path)
    await page.getByRole('button', { name: 'Rerun' }).click()
    await page.getByRole('menuitem', { name: /^From failed/ }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(path))
    await page.locator('.heading .status.bad').waitFor()
    await page.getByRole('link', { name: 'List' }).click()
    await page.getByRole('row', { name: /build .*Success/ }).waitFor()
  })

  test('show the tests that failed first, what they said and how they went before', async () => {
    const { path, jobs } = await failed()
    await writeFile(mended(), '')
    await stage.go(path)
    await page.getByRole('button', { name: 'Rerun' }).click()
    await page.getByRole('menuitem', { name: /^From failed/ }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(path))
    await page.locator('.heading .status.good').waitFor()
    await stage.go(`${path}/jobs/${jobs.find(({ name }) => name === 'test')?.id}?tab=tests`)
    await page.getByText('1 of 2 tests failed.').waitFor()
    const failure = page.getByRole('list', { name: 'Failed tests' }).getByRole('listitem').first()
    await failure.getByRole('heading', { name: /rounds half to even/ }).waitFor()
    await failure.getByText('expected 2.50').waitFor()
    await failure.getByText('Output', { exact: true }).click()
    const output = failure.getByLabel('Output of rounds half to even')
    await output.getByText(/received 2\.49\s+rounding 2\.495\s+<img src=x onerror=1>/).waitFor()
    await failure.getByText('flaky').waitFor()
    await failure.getByRole('button', { name: 'History' }).click()
    const history = page.getByRole('region', { name: 'History of rounds half to even' })
    await history.getByText('passed').first().waitFor({ state: 'attached' })
    await history.getByText('failed:').first().waitFor({ state: 'attached' })
    await history.getByRole('button', { name: 'Put into quarantine' }).click()
    await history.getByText('in quarantine', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'All tests' }).getByText('adds up').waitFor()
  })

  test('list the tests that cannot be relied on, and put one into quarantine from there', async () => {
    await stage.go('/projects/provider-a/admin/failing/insights?view=tests')
    const row = page.getByRole('table', { name: 'Flaky tests' }).getByRole('row', { name: /rounds half to even/ })
    const [answer] = await Promise.all([
      page.waitForResponse((response) => /quarantine/.test(response.url()) && response.request().method() === 'PUT'),
      row.getByRole('button', { name: 'Quarantine rounds half to even' }).click(),
    ])
    assert.ok(answer.ok())
    await stage.go('/projects/provider-a/admin/failing/settings/quarantine')
    await page.getByRole('row', { name: /rounds half to even.*Flaky/ }).waitFor()
  })

  test('tell which jobs decided how long a run took, of the run that the address names', async () => {
    await stage.go('/projects/provider-a/admin/failing/insights?workflow=main')
    const path = page.getByRole('table', { name: 'Critical path' })
    await path.getByRole('row', { name: /^test .*shorter/ }).waitFor()
    const runs = page.getByLabel('Run', { exact: true })
    const last = (await runs.locator('option').last().getAttribute('value')) ?? ''
    await runs.selectOption(last)
    await page.waitForURL(new RegExp(`run=${last}`))
    await path.getByRole('row', { name: /^build .*shorter/ }).waitFor()
    await page.reload()
    await eventually(async () => assert.equal(await runs.inputValue(), last))
  })

  test('open a log of half a million lines at its end, and at any other line', async () => {
    await stage.push('long', { config: oneJob('- run: { name: Count, command: seq 500000 }') })
    const { path, jobs } = await until(stage, 'long', (all) => all.some((job) => job.status === 'success'))
    await stage.go(`${path}/jobs/${jobs[0]?.id}`)
    await page.getByRole('button', { name: /^Count/ }).click()
    const log = page.getByRole('log', { name: 'Output of Count' })
    await log.getByText('500000', { exact: true }).waitFor()
    // Before its lines are counted it is no longer than its end.
    await page.getByRole('link', { name: 'Link to line 500000' }).waitFor()
    await log.evaluate((box) => (box.scrollTop = box.scrollHeight / 2))
    await log
      .getByText(/^2500\d\d$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'To the end' }).click()
    await log.getByText('500000', { exact: true }).waitFor()
    assert.ok((await log.locator('.log-line').count()) < 200)
    await stage.go(`${path}/jobs/${jobs[0]?.id}#s0L123456`)
    await log.locator('.marked', { hasText: '123456' }).waitFor()
  })

  test('open the end of a large log that is still written at once, and number its lines when they are counted', async () => {
    const flag = join(stage.folder, 'printed-enough')
    const command = `seq 2000000; ${waitFor(flag)}; echo over`
    await stage.push('large', { config: oneJob(`- run: { name: Count, command: "${command}" }`) })
    const { path, jobs } = await until(stage, 'large', (all) => all.some((job) => job.status === 'running'))
    const id = jobs[0]?.id ?? ''
    const last = async () =>
      (await stage.callRh(readLines, { params: { id, index: 0 }, query: { count: 1 } })).lines.at(-1)
    await eventually(async () => assert.equal(await last(), '2000000'))
    const counted = page.waitForResponse(/line-number/)
    await stage.go(`${path}/jobs/${id}`)
    const log = page.getByRole('log', { name: 'Output of Count' })
    await log.getByText('2000000', { exact: true }).waitFor()
    await counted
    await page.getByRole('link', { name: 'Link to line 2000000' }).waitFor()
    await writeFile(flag, '')
    await log.getByText('over', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Link to line 2000001' }).waitFor()
    await log.evaluate((box) => (box.scrollTop = 0))
    await log.getByText('1', { exact: true }).waitFor()
  })

  test('cancel what runs, then offer to run it again', async () => {
    await stage.push('canceled', { config: oneJob(`- run: "${waitFor(join(stage.folder, 'never'))}"`) })
    await stage.go('/pipelines/provider-a/admin/canceled')
    await page.getByRole('link', { name: /^main ?: / }).click()
    await page.locator('.job .status-shape.busy').waitFor()
    const whole = page.getByRole('menuitem', { name: 'Whole workflow' })
    await page.getByRole('button', { name: 'Rerun' }).click()
    await eventually(async () => assert.equal(await whole.getAttribute('aria-disabled'), 'true'))
    await page.keyboard.press('Escape')
    await whole.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.heading .status.stop').waitFor()
    await page.locator('.job .status-shape.stop').waitFor()
    await page.getByRole('button', { name: 'Rerun' }).click()
    await eventually(async () => assert.equal(await whole.getAttribute('aria-disabled'), 'false'))
  })

  test('show errors of a configuration at their line', async () => {
    await stage.push('broken', { config: 'version: 2.1\njobs:\n  build:\n    machine: true\n    stepz: []\n' })
    await stage.go('/pipelines/provider-a/admin/broken')
    await page.getByRole('list', { name: 'Errors' }).waitFor()
    await page.getByRole('link', { name: /#1/ }).click()
    await page.locator('.source .marked', { hasText: 'stepz: []' }).getByText('extraneous key').waitFor()
    await page.locator('.heading .status.bad').waitFor()
  })

  test('show how the time of a workflow went', async () => {
    const { path } = await failed()
    await stage.go(`${path}?view=timing`)
    await page.getByText('build → test').waitFor()
    await counts(page.locator('.waterfall li'), 2)
  })

  test('show whatever comes from outside as text', async () => {
    const steps = [
      { run: { name: evil, command: `printf '%s\\n' '${evil}' '${link}'` } },
      {
        run: {
          name: 'files',
          command: `mkdir f; echo '<script>parent.pwned=1</script>${evil}' > 'f/<b>x.html'; exit 0`,
        },
      },
      {
        run: {
          name: 'tests',
          command: `mkdir r; echo '<testsuite><testcase name="${evilXml}" classname="${evilXml}" file="${evilXml}"><failure message="${evilXml}">${evilXml}</failure><system-err>${evilXml}</system-err></testcase></testsuite>' > r/t.xml`,
        },
      },
      { store_test_results: { path: 'r' } },
      { store_artifacts: { path: 'f' } },
    ]
    const config = oneJob(steps.map((step) => `- ${JSON.stringify(step)}`).join('\n'))
    await stage.push('hostile', { config, subject: evil, branch: 'a<b>&"' })
    const { path, jobs } = await until(stage, 'hostile', (all) => all.some((job) => job.status === 'success'))
    await stage.go('/pipelines/provider-a/admin/hostile')
    await page.getByText(evil).waitFor()
    await stage.go(`${path}/jobs/${jobs[0]?.id}`)
    await page.getByRole('button', { name: evil }).click()
    await page.getByRole('log').getByText(evil, { exact: true }).waitFor()
    assert.equal(await page.locator('[role=log] a[href^="javascript"]').count(), 0)
    await stage.go(`${path}/jobs/${jobs[0]?.id}?find=onerror`)
    await page.locator('.found code', { hasText: 'onerror' }).first().waitFor()
    await stage.go(`${path}/jobs/${jobs[0]?.id}?view=tests`)
    const failure = page.getByRole('list', { name: 'Failed tests' })
    await failure.getByRole('heading', { name: evil }).waitFor()
    await failure.getByText('Output', { exact: true }).click()
    await failure.getByLabel(`Output of ${evil}`).waitFor()
    await failure.getByRole('button', { name: 'History' }).click()
    await page.getByRole('region', { name: `History of ${evil}` }).waitFor()
    for (const [other, ready] of [
      ['/', '.card'],
      ['/pipelines', '.pipeline'],
      ['/search?q=onerror&kind=test', '.empty, tbody tr'],
      ['/projects/provider-a/admin/hostile/insights?view=tests', '.empty, tbody tr'],
      [`/projects/provider-a/admin/hostile/insights?workflow=${encodeURIComponent(evil)}`, 'h2'],
      [`/projects/provider-a/admin/hostile/run?branch=${encodeURIComponent('a<b>&"')}`, 'form'],
    ] as const) {
      await stage.turnTo(other)
      await page.locator('main').locator(ready).first().waitFor()
      assert.equal(await page.locator('main img, main b').count(), 0, other)
    }
    await stage.go(`${path}/jobs/${jobs[0]?.id}?view=artifacts`)
    await page.getByRole('link', { name: '<b>x.html' }).click()
    const frame = page.locator('iframe')
    await frame.waitFor()
    assert.equal(await frame.getAttribute('sandbox'), '')
    await page.frameLocator('iframe').locator('img').waitFor({ state: 'attached' })
    assert.equal(await page.locator('img').count(), 0)
    assert.equal(await page.evaluate('window.pwned'), undefined)
  })

  test('never break, and ask for nothing that the policy of the server forbids', () => {
    // What a hostile artifact asks for is refused, as it should be; everything else is ours.
    assert.deepEqual(
      stage.complaints.filter((complaint) => !/sandbox|inline|x'/.test(complaint)),
      [],
    )
  })
})
