import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMeant, presets } from './presets.ts'

const surroundings = { defaultBranch: 'main', branchesInPulls: new Set(['feature']) }
const pushes = [
  ['main', { type: 'branch', name: 'main' }],
  ['feature', { type: 'branch', name: 'feature' }],
  ['other', { type: 'branch', name: 'other' }],
  ['queue', { type: 'branch', name: 'gh-readonly-queue/main/pr-7-0123' }],
  ['tag', { type: 'tag', name: 'main' }],
] as const

test('each preset means its own pushes', () => {
  const meant = Object.fromEntries(
    presets.map((preset) => [
      preset,
      pushes.filter(([, pushed]) => isMeant(preset, pushed, surroundings)).map(([name]) => name),
    ]),
  )
  assert.deepEqual(meant, {
    'all-pushes': ['main', 'feature', 'other', 'queue', 'tag'],
    'only-tags': ['tag'],
    'default-branch-pushes': ['main'],
    'only-build-prs': ['feature'],
    'pushes-to-merge-queues': ['queue'],
  })
})
