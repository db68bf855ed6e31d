/*
 * Loaded into every process of tests before its first file: ends it, as a failure, where it does not end by itself.
 * node:test stops a test that hangs; what it does not notice is whatever tests leave open behind them.
 * At its end it writes down what processor time it took.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { ROUNDHOUSE_TEST_LIMIT, ROUNDHOUSE_TEST_TIMES: times } = process.env
const limit = Number(ROUNDHOUSE_TEST_LIMIT)

/**
 * Seconds of processor time of this process and of all that it started and saw the end of; what outlives its parent is not
 * in it. Only Linux tells of others than oneself.
 */
function secondsTaken() {
  try {
    // What follows the name, which may hold anything: own time in the program and in the kernel, then that of children.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return ticks / 100
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}

if (isMainThread && limit > 0)
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ')
    process.stderr.write(`Tests are not over after ${limit / 1000} seconds: ${open}\n`)
    process.exit(1)
  }, limit).unref()

if (isMainThread && times !== undefined)
  process.once('exit', () => appendFileSync(times, `${secondsTaken().toFixed(1)} ${process.argv[1]}\n`))
