import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mannerOf } from '../bin/manner.mjs'
import { type Figure, median } from './figures.ts'
import { bareSpawn } from './floors.ts'

const { environment, flags } = mannerOf('run')
const entry = new URL('../dist/program/roundhouse.js', import.meta.url).pathname
const rounds = 7
const config = "version: 2.1\njobs: {build: {machine: true, steps: [{run: 'true'}]}}\n"

/** `roundhouse run` of a job that does nothing, from the command to its end: beside a bare command, and a bare Node. */
export async function runFigures(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-run-'))
  try {
    mkdirSync(join(folder, '.circleci'))
    writeFileSync(join(folder, '.circleci', 'config.yml'), config)
    const env = { ...process.env, ...environment, XDG_CACHE_HOME: join(folder, 'cache') }
    const node = async (...args: readonly string[]): Promise<number> => {
      const began = performance.now()
      const [code] = await once(spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' }), 'exit')
      if (code !== 0) throw new Error(`Cannot measure node ${args.join(' ')}: it ended with ${String(code)}`)
      return performance.now() - began
    }
    const run = () => node(...flags, entry, 'run', '--quiet')
    const first = await run()
    const [ours, bash, bare]: [number[], number[], number[]] = [[], [], []]
    for (let i = 0; i < rounds; i++) {
      ours.push(await run())
      bash.push(await bareSpawn())
      bare.push(await node('--eval', '0'))
    }
    const shown = (times: readonly number[]) => `${median(times).toFixed(1)} ms`
    const against = (what: string, floor: readonly number[], goal: number) => ({
      what: `roundhouse run, no-op job, against ${what}`,
      ours: shown(ours),
      floor: shown(floor),
      ratio: median(ours) / median(floor),
      goal,
    })
    return [
      against('bash -c true', bash, 400),
      against('node --eval 0', bare, 25),
      {
        ...against('the next', ours, 4),
        what: 'roundhouse run, first in a checkout',
        ours: shown([first]),
        ratio: first / median(ours),
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
