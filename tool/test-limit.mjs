/*
 * Loaded into every process of tests before its first file: ends it, as a failure, where it does not end by itself.
 * node:test stops a test that hangs; what it does not notice is whatever tests leave open behind them.
 */
import { isMainThread } from 'node:worker_threads'

const limit = Number(process.env.ROUNDHOUSE_TEST_LIMIT)

if (isMainThread && limit > 0)
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ')
    process.stderr.write(`Tests are not over after ${limit / 1000} seconds: ${open}\n`)
    process.exit(1)
  }, limit).unref()
