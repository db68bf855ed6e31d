import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dockerExecutor } from '#agent/executors/docker/docker.ts'
import type { Place } from '#agent/executors/executor.ts'
import { job } from '#agent/testing/specs.ts'
import { busybox, startEngine } from '#test/docker/engine.ts'
import { lane } from '#test/lanes.ts'
import { type Figure, median } from './figures.ts'

const rounds = 15
const stepsARound = 5
const always = new AbortController().signal

/** The docker executor against the engine's own commands, on an engine of its own; nothing where this machine cannot have one. */
export async function dockerFigures(): Promise<readonly Figure[]> {
  const here = lane('docker')
  if (!here.on) {
    console.log(`docker is left out: ${here.reason}`)
    return []
  }
  await using engine = await startEngine()
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
  const executor = dockerExecutor(join(folder, 'jobs'), folder, { address: engine.address })
  const spec = job([], { executor: { type: 'docker', images: [{ image: busybox, environment: {} }] } })
  const [starts, runs, steps, execs]: [number[], number[], number[], number[]] = [[], [], [], []]
  try {
    await executor.probe()
    for (let round = 0; round < rounds; round++) {
      runs.push(timed(() => engine.docker('run', '--rm', busybox, 'true')))
      const began = performance.now()
      const place = await executor.prepare(spec)
      await place.makeReady(() => {}, always)
      starts.push(performance.now() - began)
      const name = `roundhouse-${place.folder.split('/').at(-1)}`
      for (let step = 0; step < stepsARound; step++) {
        steps.push(await playStep(place, step))
        execs.push(timed(() => engine.docker('exec', name, 'true')))
      }
      await place.destroy()
    }
  } finally {
    await executor.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    figure('docker job, claim to first step', 'docker run', starts, runs, 1.2),
    figure('docker step', 'docker exec', steps, execs, 0.3),
  ]
}

async function playStep(place: Place, step: number): Promise<number> {
  const began = performance.now()
  await place.start({
    step,
    attempt: 0,
    script: 'true',
    shell: ['/bin/sh', '-e'],
    directory: place.home,
    environment: place.environment,
    background: false,
  })
  await place.wait(step, 0, always)
  return performance.now() - began
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function figure(what: string, floor: string, ours: readonly number[], theirs: readonly number[], goal: number): Figure {
  const [mine, bare] = [median(ours), median(theirs)]
  return { what, ours: `${mine.toFixed(1)} ms`, floor: `${bare.toFixed(1)} ms, ${floor}`, ratio: mine / bare, goal }
}
