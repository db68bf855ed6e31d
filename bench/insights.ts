import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uuidv7 } from '#kit/uuid.ts'
import { openEdge } from '#server/api/server.ts'
import { packDays } from '#server/app/insights/pack-days.ts'
import { storeTests } from '#server/app/store-tests.ts'
import { insertJobFact, insertRunFact } from '#server/store/facts.ts'
import { openStore } from '#server/store/open.ts'
import { adaToken, claim, end, givenAgent, givenProject, givenWorkflowOf } from '#test/given.ts'
import type { SmallWorld } from '#test/world.ts'
import { factFile } from './fact-file.ts'
import type { Past } from './fact-history.ts'
import { type Figure, median } from './figures.ts'
import { worldIn } from './insight-world.ts'
import { type Turns, turnsOf } from './turns.ts'

const scale = Number(process.env['ROUNDHOUSE_BENCH_SCALE'] ?? 1)

/** A million runs, eight million jobs and twelve million results of tests, or the share of them that is asked for. */
const past: Past = { projects: 50, runsOfProject: 20_000 * scale, jobsOfRun: 8, testsOfRun: 12 }

/*
 * Answers are measured in processor time, that of all threads: other programs on the machine do not lengthen it.
 */

/** Insights of a service with a long past: how long each answer takes, for how long nothing else is answered, and what recording costs. */
export async function insightFigures(): Promise<readonly Figure[]> {
  const facts = await factFile(past)
  const db = await openStore(facts.path, () => new Date().toISOString())
  try {
    const it = worldIn(facts.folder, db, facts.behind)
    await packDays(it.world)
    return [...(await answerFigures(it, facts.path)), ...(await freshly(recordingFigures)), await testFigure(it)]
  } finally {
    await db.destroy()
  }
}

/** In a database of its own, where what was measured before does not lie. */
async function freshly(measure: (it: SmallWorld) => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
  const db = await openStore(join(folder, 'roundhouse.db'), () => new Date().toISOString())
  try {
    return await measure(worldIn(folder, db))
  } finally {
    await db.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

const one = 'provider-a/bench/project-0'
const other = 'provider-a/bench/project-7'
const questions: Readonly<Record<string, string>> = {
  'project summary': `pages/${other}/summary`,
  'project summary, 30 days': `pages/${other}/summary?reporting-window=last-30-days`,
  'job series': `time-series/${other}/workflows/workflow-0/jobs`,
  branches: `${other}/branches`,
  'flaky tests': `${other}/flaky-tests`,
  workflows: `${other}/workflows`,
  'workflow runs': `${other}/workflows/workflow-0`,
  'workflow jobs': `${other}/workflows/workflow-0/jobs`,
  'workflow summary': `${other}/workflows/workflow-0/summary`,
  'test metrics': `${other}/workflows/workflow-0/test-metrics`,
}

async function answerFigures(it: SmallWorld, file: string): Promise<readonly Figure[]> {
  const http = await openEdge(it.app, { version: '0', pages: undefined, isDraining: () => false })
  /** In processor time of all threads. */
  const ask = async (path: string): Promise<number> => {
    const began = process.cpuUsage()
    const answer = await http.inject({ url: `/api/v2/insights/${path}`, headers: { 'circle-token': adaToken } })
    const { user, system } = process.cpuUsage(began)
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`)
    return (user + system) / 1000
  }
  try {
    const figures: Figure[] = []
    let longest: Turns = { busyMs: 0, wallMs: 0 }
    for (const [what, path] of Object.entries(questions)) {
      const times: number[] = []
      for (let round = 0; round < 9; round += 1) {
        const ms = await ask(path)
        if (round >= 2) times.push(ms)
      }
      // Apart from that: looking at every turn takes time itself.
      longest = longerOf(longest, await turnsOf(async () => void (await ask(path))))
      figures.push(figure(`insights: ${what}`, median(times), 50))
    }
    const org = await ask('provider-a/acme/summary')
    figures.push(figure('insights: organization of 50 projects', org, 50 * past.projects))
    const [ours, floor]: [number[], number[]] = [[], []]
    using reader = new DatabaseSync(file, { readOnly: true })
    const read = reader.prepare(
      "select started, duration, status, credits, branch from run_facts where project_id = (select id from projects where name = 'project-0') and name = 'workflow-0' and started >= 0 order by started",
    )
    // More than of the others: the code of the thread becomes quick by being used, as that of a service that has run for a while.
    for (let round = 0; round < 39; round += 1) {
      const began = process.cpuUsage()
      if (read.all().length !== past.runsOfProject) throw new Error('Cannot find the runs')
      const { user, system } = process.cpuUsage(began)
      const base = (user + system) / 1000
      const ms = await ask(`${one}/workflows?all-branches=true`)
      if (round < 20) continue
      ours.push(ms)
      floor.push(base)
    }
    figures.push({
      what: 'insights: workflow of 20,000 runs',
      ours: `${median(ours).toFixed(1)} ms`,
      floor: `${median(floor).toFixed(1)} ms indexed read`,
      ratio: median(ours) / median(floor),
      goal: 2,
    })
    figures.push(pauseFigure('insights: longest pause', longest, 20))
    return figures
  } finally {
    await http.close()
  }
}

const longerOf = (a: Turns, b: Turns): Turns => ({
  busyMs: Math.max(a.busyMs, b.busyMs),
  wallMs: Math.max(a.wallMs, b.wallMs),
})

/** What counts is processor time; by the clock a pause is longer where a machine has more to do. */
const pauseFigure = (what: string, { busyMs, wallMs }: Turns, goal: number): Figure => ({
  ...figure(what, busyMs, goal),
  ours: `${busyMs.toFixed(1)} ms (${wallMs.toFixed(0)} by the clock)`,
})

const figure = (what: string, ms: number, goal: number): Figure => ({
  what,
  ours: `${ms.toFixed(1)} ms`,
  floor: `${goal} ms`,
  ratio: ms / goal,
  goal: 1,
})

/** What ends a run, with and without its facts. */
async function recordingFigures(it: SmallWorld): Promise<readonly Figure[]> {
  const project = await givenProject(it, 'recording')
  const agent = await givenAgent(it)
  const whole: number[] = []
  const facts: number[] = []
  for (let i = 0; i < 400; i += 1) {
    await givenWorkflowOf(it, project, 'build')
    const [held] = await claim(it, agent)
    if (!held) throw new Error('Cannot claim a job')
    const began = performance.now()
    await end(it, held)
    whole.push(performance.now() - began)
    const about = {
      project_id: project.id,
      started: Date.now(),
      branch: 'main',
      status: 'success',
      duration: 1,
      credits: 1,
    }
    await it.world.db.transaction().execute(async (tx) => {
      const from = performance.now()
      await insertJobFact(tx, {
        ...about,
        id: uuidv7(),
        workflow: 'main',
        name: 'build',
        queued: 1,
        resource_class: 'medium',
        nodes: 1,
      })
      await insertRunFact(tx, { ...about, id: uuidv7(), name: 'main' })
      facts.push(performance.now() - from)
    })
  }
  const [all, own] = [median(whole.slice(50)), median(facts.slice(50))]
  return [
    {
      what: 'insights: ending a run with its facts',
      ours: `${all.toFixed(2)} ms`,
      floor: `${(all - own).toFixed(2)} ms without`,
      ratio: all / (all - own),
      goal: 1.1,
    },
  ]
}

/** So many results are in a batch, as agents send them. */
const together = 250

/** A job with 100,000 test results: for how long nobody else is answered. */
async function testFigure(it: SmallWorld): Promise<Figure> {
  await givenWorkflowOf(it, await givenProject(it, 'tests'), 'build')
  const [held] = await claim(it, await givenAgent(it))
  if (!held) throw new Error('Cannot claim a job')
  const turns = await turnsOf(async () => {
    for (let batch = 0; batch < 100_000 / together; batch += 1) {
      const tests = Array.from({ length: together }, (_, i) => ({
        classname: 'class',
        name: `test ${batch} ${i}`,
        file: `file-${batch}.ts`,
        source: '',
        result: i === 0 ? 'failure' : 'success',
        message: '',
        run_time: 0.1,
      }))
      await storeTests(it.world, held.lease, 0, { batch, tests, bytes: 1, problems: [] })
    }
  })
  await it.world.db.deleteFrom('test_results').where('job_id', '=', held.lease.job_id).execute()
  await it.world.db.deleteFrom('test_reports').where('job_id', '=', held.lease.job_id).execute()
  await end(it, held)
  return pauseFigure('insights: longest pause, 100,000 test results', turns, 50)
}
