import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, median } from './figures.ts'
import { endOf, jobsOf } from './runs.ts'
import { call, type Service } from './service.ts'

const config =
  'version: 2.1\njobs:\n  build:\n    machine: true\n    steps: [run: "true"]\nworkflows:\n  w:\n    jobs: [build]\n'

interface Pipeline {
  readonly id: string
  readonly created_at: string
}

/** From a push whose refs were noted to a job that was claimed, and how long the pusher waits, against a push into a bare repository. */
export async function pushFigures(service: Service): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-push-'))
  try {
    const [work, bare] = [join(folder, 'work'), join(folder, 'bare.git')]
    mkdirSync(join(work, '.circleci'), { recursive: true })
    writeFileSync(join(work, '.circleci/config.yml'), config)
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], {
        cwd: work,
        stdio: 'ignore',
      })
    const remote = `${service.url.replace('://', `://${service.token}@`)}/git/bench/pushed.git`
    const timed = (where: string) => {
      const began = performance.now()
      git('push', '-q', where, 'main')
      return performance.now() - began
    }
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('init', '-q', '--bare', bare)
    const [floor, ours, claimed]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < 25; round++) {
      git('commit', '-q', '--allow-empty', '-m', `round ${round}`)
      const times = [timed(bare), timed(remote)] as const
      const { items } = await call<{ readonly items: readonly Pipeline[] }>(
        service,
        'GET',
        '/api/v2/project/gh/bench/pushed/pipeline',
      )
      const [newest] = items
      if (!newest) throw new Error('Cannot find the pipeline of a push')
      const [job] = await jobsOf(service, 'pushed', await endOf(service, newest.id, 20))
      if (round < 5 || !job) continue
      floor.push(times[0])
      ours.push(times[1])
      claimed.push(Date.parse(job.started_at) - Date.parse(newest.created_at))
    }
    const [wait, push, base] = [median(claimed), median(ours), median(floor)]
    const ms = (value: number) => `${value.toFixed(1)} ms`
    return [
      { what: 'push noted to job claimed', ours: ms(wait), floor: ms(50), ratio: wait / 50, goal: 1 },
      { what: 'git push that builds', ours: ms(push), floor: `${ms(base)} bare push`, ratio: push / base, goal: 8 },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
