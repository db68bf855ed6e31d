import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchHit } from '#contract/rh/search.ts'
import { hitAddress, hitText } from './hit-address.ts'

const hit = (more: Partial<SearchHit>): SearchHit => ({
  kind: 'project',
  project_slug: 'p/acme/web',
  name: 'web',
  branch: null,
  pipeline_number: null,
  workflow_id: null,
  job_id: null,
  at: null,
  ...more,
})

test('leads from each kind of thing to its page', () => {
  assert.equal(hitAddress(hit({})), '/pipelines/p/acme/web')
  assert.equal(hitAddress(hit({ kind: 'branch', name: 'a/b&c' })), '/pipelines?project=p%2Facme%2Fweb&branch=a%2Fb%26c')
  assert.equal(hitAddress(hit({ kind: 'pipeline', pipeline_number: 7 })), '/pipelines/p/acme/web/7')
  const found = hit({ kind: 'test', pipeline_number: 7, workflow_id: 'w', job_id: 'j' })
  assert.equal(hitAddress(found), '/pipelines/p/acme/web/7/workflows/w/jobs/j?tab=tests')
  assert.equal(hitText(hit({ kind: 'pipeline', pipeline_number: 7, name: 'Fix' })), '#7 Fix')
})
