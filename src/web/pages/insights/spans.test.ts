import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowRun } from '#contract/v2/metrics.ts'
import { percentile, percentText, spansOf } from './spans.ts'

const now = Date.parse('2026-03-08T12:30:00Z')
const run = (created_at: string, status: WorkflowRun['status'], duration: number): WorkflowRun => ({
  id: created_at,
  created_at,
  stopped_at: created_at,
  duration,
  status,
  credits_used: 0,
})

test('has a span for every day of the window, also where nothing ran', () => {
  const spans = spansOf([], 'last-7-days', now)
  assert.equal(spans.length, 7)
  assert.equal(new Date(spans.at(-1)?.from ?? 0).toISOString(), '2026-03-08T00:00:00.000Z')
  assert.deepEqual(spans[0], {
    from: spans[0]?.from,
    runs: 0,
    failed: 0,
    success: undefined,
    median: undefined,
    p95: undefined,
  })
  assert.equal(spansOf([], 'last-24-hours', now).length, 24)
})

test('counts canceled runs, but neither their success nor their duration', () => {
  const [today] = spansOf(
    [
      run('2026-03-08T01:00:00Z', 'success', 10),
      run('2026-03-08T02:00:00Z', 'failed', 20),
      run('2026-03-08T03:00:00Z', 'canceled', 9_000),
      run('2026-02-01T03:00:00Z', 'success', 9_000),
    ],
    'last-7-days',
    now,
  ).slice(-1)
  assert.deepEqual(today, { from: today?.from, runs: 3, failed: 1, success: 0.5, median: 15, p95: 19.5 })
})

test('finds percentiles between values, and none of nothing', () => {
  assert.equal(percentile([], 0.5), undefined)
  assert.equal(percentile([4], 0.95), 4)
  assert.equal(percentile([1, 2, 3, 4], 0.5), 2.5)
  assert.equal(percentText(0.98765), '98.8 %')
  assert.equal(percentText(undefined), '–')
})
