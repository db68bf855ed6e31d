import { createHmac } from 'node:crypto'
import { createAgentToken } from '#contract/rh/agents.ts'
import { setLimits } from '#contract/rh/limits.ts'
import { addProject } from '#contract/rh/projects.ts'
import { quarantineTest } from '#contract/rh/quarantine.ts'
import { createReceiver } from '#contract/rh/receivers.ts'
import { getProject } from '#contract/v2/project.ts'
import { createContext, setContextVariable } from '#contract/v2/context.ts'
import { createSchedule } from '#contract/v2/schedule.ts'
import { createVariable } from '#contract/v2/variable.ts'
import { createWebhook } from '#contract/v2/webhook.ts'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'

/** Sets up a project and its organization as people do, and names the pages on which that is done. */
export async function settingsScenes(stage: Stage, repo: string): Promise<readonly Scene[]> {
  const params = { provider: 'provider-a', org: 'admin', repo }
  const { id, organization_id } = await stage.callV2(getProject, { params })
  await stage.callV2(createVariable, { params, body: { name: 'DEPLOY_KEY', value: 'a secret value' } })
  const hook = await stage.callV2(createWebhook, {
    body: {
      name: 'chat',
      url: 'http://127.0.0.1:9/',
      events: ['workflow-completed'],
      scope: { id, type: 'project' },
      'verify-tls': true,
      'signing-secret': 'a secret',
    },
  })
  await stage.callV2(createSchedule, {
    params,
    body: {
      name: 'nightly',
      timetable: { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON', 'THU'] },
      'attribution-actor': 'system',
      parameters: { branch: 'main' },
    },
  })
  const context = await stage.callV2(createContext, {
    body: { name: 'deploy', owner: { id: organization_id, type: 'organization' } },
  })
  await stage.callV2(setContextVariable, {
    params: { context_id: context.id, env_var_name: 'API_TOKEN' },
    body: { value: 'a secret value' },
  })
  const receiver = await connected(stage)
  await stage.callRh(setLimits, { params: { subject: 'project', id }, body: { max_running: 4, max_minutes: 60 } })
  await stage.callRh(quarantineTest, {
    params: { id },
    body: { name: 'checkout rounds prices', classname: 'cart.Checkout', reason: 'Fails at midnight, see #412' },
  })
  await stage.callRh(createAgentToken, { body: { name: 'mac-mini' } })
  const project = `/projects/provider-a/admin/${repo}`
  const elsewhere = '/projects/provider-a/admin/elsewhere/settings'
  const organization = `/organizations/${organization_id}`
  return [
    { name: 'settings-variables', path: `${project}/settings/variables`, ready: 'tbody tr' },
    { name: 'settings-variable', path: `${project}/settings/variables?add=variable`, ready: '.action-form' },
    {
      name: 'settings-connection',
      path: `${elsewhere}/connection?receiver=${receiver}`,
      ready: '[aria-label="What came"] tbody tr',
    },
    { name: 'settings-waiting-forks', path: `${elsewhere}/builds`, ready: '.empty' },
    { name: 'settings-key-registrations', path: `${elsewhere}/keys`, ready: '[aria-label="Checkout keys"] tbody tr' },
    { name: 'settings-hosted', path: `${project}/settings/connection`, ready: '.section-head' },
    { name: 'settings-limits', path: `${project}/settings/limits`, ready: '.action-form' },
    { name: 'settings-chat', path: `${project}/settings/chat`, ready: '.action-form' },
    { name: 'settings-caches', path: `${project}/settings/caches`, ready: '.empty' },
    { name: 'settings-quarantine', path: `${project}/settings/quarantine`, ready: 'tbody tr' },
    { name: 'settings-keys', path: `${project}/settings/keys`, ready: '.empty' },
    { name: 'settings-webhook-new', path: `${project}/settings/webhooks?add=webhook`, ready: '.action-form' },
    { name: 'settings-schedule-new', path: `${project}/settings/schedules?add=schedule`, ready: '.action-form' },
    { name: 'settings-webhooks', path: `${project}/settings/webhooks`, ready: 'tbody tr' },
    {
      name: 'settings-webhook',
      path: `${project}/settings/webhooks?webhook=${hook.id}`,
      ready: 'section[aria-label="Deliveries"] .empty, section[aria-label="Deliveries"] tbody tr',
    },
    { name: 'settings-schedules', path: `${project}/settings/schedules`, ready: 'tbody time' },
    { name: 'settings-builds', path: `${project}/settings/builds`, ready: '.switch' },
    { name: 'settings-tokens', path: `${project}/settings/tokens`, ready: '.empty' },
    { name: 'settings-badges', path: `${project}/settings/badges`, ready: '.copied' },
    { name: 'run', path: `${project}/run`, ready: 'form[aria-label="Run"]' },
    { name: 'insights', path: `${project}/insights`, ready: '.figure' },
    { name: 'insights-workflow', path: `${project}/insights?workflow=nightly`, ready: '.chart canvas' },
    { name: 'insights-queue', path: `${project}/insights?view=queue`, ready: '.chart canvas' },
    { name: 'insights-tests', path: `${project}/insights?view=tests`, ready: '.empty, tbody tr' },
    { name: 'insights-caches', path: `${project}/insights?view=caches`, ready: '.empty, .chart canvas' },
    { name: 'organizations', path: '/organizations', ready: 'tbody tr' },
    { name: 'members', path: `${organization}/members`, ready: 'tbody tr' },
    { name: 'members-new', path: `${organization}/members?add=member`, ready: '.action-form' },
    { name: 'organization-connection', path: `${organization}/connection`, ready: '.empty, tbody tr' },
    { name: 'organization-limits', path: `${organization}/limits`, ready: '.action-form' },
    { name: 'contexts', path: `${organization}/contexts`, ready: 'tbody tr' },
    { name: 'context', path: `${organization}/contexts?context=${context.id}`, ready: 'tbody tr' },
    {
      name: 'context-restriction',
      path: `${organization}/contexts?context=${context.id}&add=restriction`,
      ready: '.action-form',
    },
    { name: 'audit', path: `${organization}/audit`, ready: 'tbody tr' },
    { name: 'agents', path: '/installation/agents', ready: 'meter' },
    { name: 'users', path: '/installation/users', ready: 'tbody tr' },
    { name: 'user-tokens', path: '/user/tokens', ready: '.empty, tbody tr' },
    { name: 'user-keys', path: '/user/keys', ready: '.empty' },
    { name: 'user-notifications', path: '/user/notifications', ready: 'select' },
    { name: 'user-look', path: '/user/look', ready: '.check-group' },
    { name: 'user-access', path: '/user/access', ready: 'tbody tr' },
    { name: 'search', path: '/search?q=admin', ready: 'tbody tr' },
  ]
}

/** A project whose repository lives elsewhere, and something that its provider told; gives the id of the address. */
async function connected(stage: Stage): Promise<string> {
  await stage.callRh(addProject, {
    body: { url: 'https://git.invalid/acme/elsewhere.git', organization: 'admin', name: 'elsewhere' },
  })
  const params = { provider: 'provider-a', org: 'admin', repo: 'elsewhere' }
  const { id, url, secret } = await stage.callRh(createReceiver, { params })
  const body = JSON.stringify({ zen: 'Keep it simple', repository: { full_name: 'acme/elsewhere' } })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  await fetch(new URL(new URL(url).pathname, stage.link), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': '7f1c2a9e',
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  })
  return id
}
