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
  const project = `/projects/provider-a/admin/${repo}`
  const organization = `/organizations/${organization_id}`
  return [
    { name: 'settings-variables', path: `${project}/settings/variables`, ready: 'tbody tr' },
    { name: 'settings-keys', path: `${project}/settings/keys`, ready: 'form[aria-label="Add an SSH key"]' },
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
    { name: 'organizations', path: '/organizations', ready: 'tbody tr' },
    { name: 'members', path: `${organization}/members`, ready: 'tbody tr' },
    { name: 'contexts', path: `${organization}/contexts`, ready: 'tbody tr' },
    { name: 'context', path: `${organization}/contexts?context=${context.id}`, ready: 'tbody tr' },
    { name: 'audit', path: `${organization}/audit`, ready: 'tbody tr' },
    { name: 'agents', path: '/installation/agents', ready: 'meter' },
    { name: 'users', path: '/installation/users', ready: 'tbody tr' },
    { name: 'user-tokens', path: '/user/tokens', ready: '.action-form' },
    { name: 'user-keys', path: '/user/keys', ready: '.empty' },
    { name: 'user-notifications', path: '/user/notifications', ready: 'select' },
    { name: 'user-look', path: '/user/look', ready: '.check-group' },
    { name: 'user-access', path: '/user/access', ready: 'tbody tr' },
    { name: 'search', path: '/search?q=admin', ready: 'tbody tr' },
  ]
}
