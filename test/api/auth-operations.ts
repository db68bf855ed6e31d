import { agentProtocol } from '#contract/agent.ts'
import type { Operation } from '#contract/catalog.ts'
import { addressOf, type Question } from './ask.ts'
import { doomed } from './doomed.ts'
import { type Farm, slug } from './farm.ts'
import { firstOperations } from './first-operations.ts'

/** What somebody must be allowed to do for an operation: `self` concerns nobody but the caller. */
export type Need = 'anyone' | 'self' | 'read' | 'build' | 'add' | 'configure' | 'own' | 'admin' | 'agent' | 'job'

/** A request that would succeed, and what it needs. */
export interface Asked {
  readonly need: Need
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** For every served operation: what it needs, and a request that would succeed. Whoever serves another one tells it here. */
export function operationsOf(farm: Farm): Readonly<Record<string, Asked>> {
  const { project, workflow, jobs, job, instance, ada } = farm
  const pipeline = { pipeline_id: workflow.pipeline_id }
  const approval = jobs.find(({ type }) => type === 'approval')?.id ?? ''
  const hook = {
    name: 'hook',
    url: 'https://example.com/',
    events: ['job-completed'],
    'verify-tls': true,
    'signing-secret': 's',
  }
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
  const none = '018f0000-0000-7000-8000-000000000000'
  const context = { context_id: contextId }
  const organization = { organization_id: project.organization_id }
  const owner = { id: project.organization_id, type: 'organization' }
  return {
    ...firstOperations(farm),
    'v2 getProjectSummary': { need: 'read', params: slug },
    'v2 listJobSeries': { need: 'read', params: { ...slug, workflow_name: 'main' } },
    'v2 getOrgSummary': { need: 'read', params: { provider: slug.provider, org: slug.org } },
    'v2 listInsightBranches': { need: 'read', params: slug },
    'v2 listFlakyTests': { need: 'read', params: slug },
    'v2 listWorkflowInsights': { need: 'read', params: slug },
    'v2 listWorkflowRuns': { need: 'read', params: { ...slug, workflow_name: 'main' } },
    'v2 listJobInsights': { need: 'read', params: { ...slug, workflow_name: 'main' } },
    'v2 listJobRuns': { need: 'read', params: { ...slug, workflow_name: 'main', job_name: 'build' } },
    'v2 getWorkflowSummary': { need: 'read', params: { ...slug, workflow_name: 'main' } },
    'v2 getTestMetrics': { need: 'read', params: { ...slug, workflow_name: 'main' } },
    'v2 getMe': { need: 'self' },
    'v2 listCheckoutKeys': { need: 'configure', params: slug },
    'v2 getCheckoutKey': { need: 'configure', params: { ...slug, fingerprint: 'none' } },
    'v2 createCheckoutKey': { need: 'configure', params: slug, body: { type: 'deploy-key' } },
    'v2 deleteCheckoutKey': { need: 'configure', params: { ...slug, fingerprint: 'none' } },
    'v2 getUser': { need: 'self', params: { id: ada.id } },
    'v2 listCollaborations': { need: 'self' },
    'v2 getDescription': { need: 'anyone' },
    'v2 listContexts': { need: 'read', query: { 'owner-id': project.organization_id } },
    'v2 createContext': { need: 'configure', body: { name: 'another', owner } },
    'v2 getContext': { need: 'read', params: context },
    'v2 deleteContext': { need: 'configure', params: context },
    'v2 listContextVariables': { need: 'read', params: context },
    'v2 setContextVariable': {
      need: 'configure',
      params: { ...context, env_var_name: 'KEY' },
      body: { value: 'x' },
    },
    'v2 deleteContextVariable': { need: 'configure', params: { ...context, env_var_name: 'KEY' } },
    'v2 listContextRestrictions': { need: 'read', params: context },
    'v2 createContextRestriction': {
      need: 'own',
      params: context,
      body: { restriction_type: 'project', restriction_value: project.id },
    },
    'v2 deleteContextRestriction': { need: 'own', params: { ...context, restriction_id: none } },
    'v2 createOrganization': { need: 'self', body: { name: 'another', vcs_type: 'service' } },
    'v2 getOrganization': { need: 'read', params: { organization: project.organization_id } },
    'v2 deleteOrganization': { need: 'own', params: { organization: doomed.organization } },
    'v2 createProject': {
      need: 'configure',
      params: { organization: project.organization_id },
      body: { name: 'more' },
    },
    'v2 deleteProject': { need: 'own', params: { ...slug, repo: 'doomed' } },
    'v2 getOrgClaims': { need: 'read', params: { org_id: project.organization_id } },
    'v2 updateOrgClaims': { need: 'own', params: { org_id: project.organization_id }, body: { ttl: '30m' } },
    'v2 deleteOrgClaims': { need: 'own', params: { org_id: project.organization_id }, query: { claims: 'ttl' } },
    'v2 getProjectClaims': { need: 'read', params: { org_id: project.organization_id, project_id: project.id } },
    'v2 updateProjectClaims': {
      need: 'own',
      params: { org_id: project.organization_id, project_id: project.id },
      body: { audience: ['cloud'] },
    },
    'v2 deleteProjectClaims': {
      need: 'own',
      params: { org_id: project.organization_id, project_id: project.id },
      query: { claims: 'audience,ttl' },
    },
    'v2 runGraphql': { need: 'self', body: { query: '{ me { id } }' } },
    'v2 listFollowedProjects': { need: 'self' },
    'v2 readRawOutput': { need: 'read', params: { ...slug, job_number: 1, stream: 'output', index: 0, step: 0 } },
    'v2 listOrbPrefixes': { need: 'read', params: { organization: project.organization_id } },
    'v2 createOrbPrefix': {
      need: 'own',
      params: { organization: project.organization_id },
      body: { name: 'x', prefix: 'https://orbs.example.com/', auth: 'none' },
    },
    'v2 deleteOrbPrefix': {
      need: 'own',
      params: { organization: project.organization_id, allow_list_entry_id: none },
    },
    'v2 createUsageExport': {
      need: 'own',
      params: { org_id: project.organization_id },
      body: { start: yesterday, end: yesterday },
    },
    'v2 getUsageExport': { need: 'own', params: { org_id: project.organization_id, usage_export_job_id: none } },
    'rh readUsage': { need: 'anyone', params: { id: none }, query: { until: '2026-01-01', signature: 'none' } },
    'v2 listDefinitions': { need: 'configure', params: { project_id: project.id } },
    'v2 createDefinition': {
      need: 'configure',
      params: { project_id: project.id },
      body: { name: 'x', config_source: { provider: 'gh', file_path: 'x.yml' }, checkout_source: { provider: 'gh' } },
    },
    'v2 getDefinition': { need: 'configure', params: { project_id: project.id, definition_id: project.id } },
    'v2 updateDefinition': {
      need: 'configure',
      params: { project_id: project.id, definition_id: none },
      body: { name: 'y' },
    },
    'v2 deleteDefinition': { need: 'configure', params: { project_id: project.id, definition_id: none } },
    'v2 listTriggers': { need: 'configure', params: { project_id: project.id, definition_id: project.id } },
    'v2 createTrigger': {
      need: 'configure',
      params: { project_id: project.id, definition_id: project.id },
      body: { event_source: { provider: 'webhook' } },
    },
    'v2 getTrigger': { need: 'configure', params: { project_id: project.id, trigger_id: none } },
    'v2 updateTrigger': { need: 'configure', params: { project_id: project.id, trigger_id: none }, body: {} },
    'v2 deleteTrigger': { need: 'configure', params: { project_id: project.id, trigger_id: none } },
    'rh fireTrigger': { need: 'anyone', params: { trigger_id: none }, query: { secret: 'none' }, body: {} },
    'v2 listResourceClasses': { need: 'self' },
    'v2 createResourceClass': {
      need: 'own',
      body: { org_id: project.organization_id, resource_class: 'acme/more', description: '' },
    },
    'v2 deleteResourceClass': { need: 'self', params: { id: none } },
    'v2 forceDeleteResourceClass': { need: 'self', params: { id: none } },
    'v2 listRunnerTokens': { need: 'self', query: { 'resource-class': 'acme/none' } },
    'v2 createRunnerToken': { need: 'self', body: { resource_class: 'acme/none', nickname: 'x' } },
    'v2 deleteRunnerToken': { need: 'self', params: { id: none } },
    'v2 listRunners': { need: 'self' },
    'v2 countWaitingTasks': { need: 'self', query: { 'resource-class': 'acme/none' } },
    'v2 countRunningTasks': { need: 'self', query: { 'resource-class': 'acme/none' } },
    'v2 getProject': { need: 'read', params: slug },
    'v2 getProjectSettings': { need: 'configure', params: slug },
    'v2 updateProjectSettings': { need: 'configure', params: slug, body: { advanced: { disable_ssh: true } } },
    'v2 runPipeline': { need: 'build', params: slug, body: {} },
    'v2 getPipelineValues': { need: 'read', params: pipeline },
    'v2 cancelJobById': { need: 'build', params: { job_id: job.id } },
    'v2 listPipelines': { need: 'self' },
    'v2 getPipeline': { need: 'read', params: pipeline },
    'v2 getPipelineConfig': { need: 'read', params: pipeline },
    'v2 listPipelineWorkflows': { need: 'read', params: pipeline },
    'v2 listProjectPipelines': { need: 'read', params: slug },
    'v2 listMyPipelines': { need: 'read', params: slug },
    'v2 getPipelineByNumber': { need: 'read', params: { ...slug, pipeline_number: 1 } },
    'v2 continuePipeline': {
      need: 'anyone',
      body: { 'continuation-key': 'nobody has this key', configuration: 'version: 2.1' },
    },
    'v2 compileConfig': { need: 'self', body: { config_yaml: 'version: 2.1' } },
    'v2 triggerPipeline': { need: 'build', params: slug, body: {} },
    'v2 listJobTests': { need: 'read', params: { ...slug, job_number: job.number } },
    'v2 getJob': { need: 'read', params: { ...slug, job_number: job.number } },
    'v2 cancelJob': { need: 'build', params: { ...slug, job_number: job.number } },
    'v2 listJobArtifacts': { need: 'read', params: { ...slug, job_number: job.number } },
    'v2 getWorkflow': { need: 'read', params: { id: workflow.id } },
    'v2 listWorkflowJobs': { need: 'read', params: { id: workflow.id } },
    'v2 approveJob': { need: 'build', params: { id: workflow.id, approval_request_id: approval } },
    'v2 cancelWorkflow': { need: 'build', params: { id: workflow.id } },
    'v2 rerunWorkflow': { need: 'build', params: { id: workflow.id }, body: { from_failed: true } },
    'v2 listWebhooks': { need: 'configure', query: { 'scope-id': project.id, 'scope-type': 'project' } },
    'v2 createWebhook': { need: 'configure', body: { ...hook, scope: { id: project.id, type: 'project' } } },
    'v2 getWebhook': { need: 'configure', params: { webhook_id: webhookId } },
    'v2 updateWebhook': { need: 'configure', params: { webhook_id: webhookId }, body: { name: 'other' } },
    'v2 deleteWebhook': { need: 'configure', params: { webhook_id: webhookId } },
    'v2 listSchedules': { need: 'read', params: slug },
    'v2 createSchedule': { need: 'configure', params: slug, body: timetabled },
    'v2 getSchedule': { need: 'read', params: { schedule_id: scheduleId } },
    'v2 updateSchedule': { need: 'configure', params: { schedule_id: scheduleId }, body: { name: 'other' } },
    'v2 deleteSchedule': { need: 'configure', params: { schedule_id: scheduleId } },
    'v2 listVariables': { need: 'configure', params: slug },
    'v2 createVariable': { need: 'configure', params: slug, body: { name: 'KEY', value: 'x' } },
    'v2 getVariable': { need: 'configure', params: { ...slug, name: 'KEY' } },
    'v2 deleteVariable': { need: 'configure', params: { ...slug, name: 'OTHER' } },
    'rh signIn': { need: 'anyone', body: { key: 'nobody has this key' } },
    'rh signInWithPassword': { need: 'anyone', body: { login: 'nobody', password: 'has none' } },
    'rh getSignInWays': { need: 'anyone' },
    'rh listUsers': { need: 'admin' },
    'rh createUser': { need: 'admin', body: { login: `user-${none}` } },
    'rh updateUser': { need: 'admin', params: { id: none }, body: {} },
    'rh createSignInLink': { need: 'admin', params: { id: none } },
    'rh revokeAccess': { need: 'admin', params: { id: none } },
    'rh setPassword': { need: 'self', body: { password: 'long enough to be one' } },
    'rh listSessions': { need: 'self' },
    'rh endSession': { need: 'self', params: { id: none } },
    'rh listOrganizations': { need: 'self' },
    'rh createOrganization': { need: 'self', body: { name: 'another' } },
    'rh listMembers': { need: 'read', params: organization },
    'rh setMember': { need: 'own', params: { ...organization, login: 'vera' }, body: { role: 'viewer' } },
    'rh removeMember': { need: 'own', params: { ...organization, login: 'nobody' } },
    'rh inviteMember': { need: 'own', params: organization, body: { login: 'newcomer', role: 'member' } },
    'rh listAudit': { need: 'own', params: organization },
    'rh listAllAudit': { need: 'admin' },
    'rh getSession': { need: 'self' },
    'rh signOut': { need: 'self' },
    'rh listProjects': { need: 'self' },
    'rh findPipelines': { need: 'self' },
    'rh addProject': { need: 'add', body: { url: 'https://example.com/x.git', organization: 'acme', name: 'added' } },
    'rh getProjectAccess': { need: 'read', params: slug },
    'rh listProjectSshKeys': { need: 'configure', params: slug },
    'rh listDeclaredParameters': { need: 'build', params: slug },
    'rh listNextRuns': { need: 'read', params: { schedule_id: scheduleId } },
    'rh search': { need: 'self', query: { q: 'main' } },
    'rh getOrganization': { need: 'read', params: organization },
    'rh getJobPage': { need: 'read', params: { id: job.id } },
    'rh getWaitingJobs': { need: 'read', params: { id: workflow.id } },
    'rh listSerialPlaces': { need: 'read', params: { id: workflow.id } },
    'rh readLog': { need: 'read', params: { id: job.id, index: 0 } },
    'rh followLog': { need: 'read', params: { id: job.id, index: 0 } },
    'rh readLines': { need: 'read', params: { id: job.id, index: 0 } },
    'rh numberLine': { need: 'read', params: { id: job.id, index: 0 }, query: { byte: 0 } },
    'rh searchLogs': { need: 'read', params: { id: job.id }, query: { text: 'x' } },
    'rh getFailures': { need: 'read', params: { id: workflow.id } },
    'rh getTestOutput': { need: 'read', params: { id: job.id }, query: { place: '0 0 0' } },
    'rh listTests': { need: 'read', params: { id: job.id } },
    'rh readOutput': {
      need: 'anyone',
      params: { job: job.id, node: 0, step: 0 },
      query: { until: '2026-01-01', signature: 'nobody signed this' },
    },
    'rh watchChanges': { need: 'self' },
    'rh listDeliveries': { need: 'configure', params: { webhook_id: webhookId } },
    'rh getDelivery': { need: 'configure', params: { id: deliveryId } },
    'rh redeliver': { need: 'configure', params: { id: deliveryId } },
    'rh pingWebhook': { need: 'configure', params: { webhook_id: webhookId } },
    'rh getPreferences': { need: 'self' },
    'rh setPreferences': { need: 'self', body: { email: 'all' } },
    'rh listNotifications': { need: 'self' },
    'rh watchNotifications': { need: 'self' },
    'rh getChat': { need: 'configure', params: { id: project.id } },
    'rh setChat': { need: 'configure', params: { id: project.id }, body: { url: 'https://example.com/chat' } },
    'rh deleteChat': { need: 'configure', params: { id: project.id } },
    'rh listArtifacts': { need: 'read', params: { id: job.id } },
    'rh readArtifact': { need: 'read', params: { id: job.id, node: 0, '*': 'out.txt' } },
    'rh listCaches': { need: 'configure', params: { id: project.id } },
    'rh deleteCaches': { need: 'configure', params: { id: project.id } },
    'rh listAgents': { need: 'admin' },
    'rh listUserSshKeys': { need: 'self' },
    'rh addUserSshKey': { need: 'self', body: { public_key: 'none' } },
    'rh deleteUserSshKey': { need: 'self', params: { id: none } },
    'rh getPolling': { need: 'configure', params: slug },
    'rh setPolling': { need: 'configure', params: slug, body: { every_seconds: 0 } },
    'rh getConnection': { need: 'configure', params: slug },
    'rh setConnection': { need: 'configure', params: slug, body: {} },
    'rh deleteConnection': { need: 'configure', params: slug },
    'rh listCommitStatuses': { need: 'read', params: { ...slug, revision: '1'.repeat(40) } },
    'rh listReceivers': { need: 'configure', params: slug },
    'rh createReceiver': { need: 'configure', params: slug },
    'rh listOrganizationReceivers': { need: 'own', params: organization },
    'rh createOrganizationReceiver': { need: 'own', params: organization },
    'rh deleteReceiver': { need: 'self', params: { receiver_id: none } },
    'rh listHooks': { need: 'self', params: { receiver_id: none } },
    'rh getHook': { need: 'self', params: { hook_id: none } },
    'rh replayHook': { need: 'self', params: { hook_id: none } },
    'rh getApproval': { need: 'read', params: pipeline },
    'rh rejectPipeline': { need: 'build', params: pipeline, body: { revision: '1'.repeat(40) } },
    'rh listWaitingForks': { need: 'read', params: slug, query: {} },
    'rh listKeyRegistrations': { need: 'configure', params: slug },
    'rh retryKeyRegistration': { need: 'configure', params: { ...slug, fingerprint: '00' } },
    'rh approvePipeline': { need: 'build', params: pipeline, body: { revision: '1'.repeat(40) } },
    'rh setAgentMode': { need: 'admin', params: { id: none }, body: { mode: 'paused' } },
    'rh getLimits': { need: 'read', params: { subject: 'project', id: project.id } },
    'rh setLimits': {
      need: 'own',
      params: { subject: 'project', id: project.id },
      body: { max_running: null, max_minutes: null },
    },
    'rh createAgentToken': { need: 'admin', body: { name: 'another' } },
    'rh deleteAgentToken': { need: 'admin', params: { id: none } },
    'rh registerAgent': {
      need: 'agent',
      body: { instance, name: 'farmhand', version: '0', slots: 1, resource_classes: [], protocol: agentProtocol },
    },
    'rh claimJobs': { need: 'agent', body: { instance, free: 1 } },
    'rh heartbeat': { need: 'agent', body: { instance, leases: [{ job: job.id, fence: job.fence }] } },
    'rh reportSteps': { need: 'job', params: { id: job.id }, body: { steps: [] } },
    'rh waitForNodes': { need: 'job', params: { id: job.id } },
    'rh appendLog': {
      need: 'job',
      params: { id: job.id, index: 0 },
      headers: { 'content-range': 'bytes 9-9/*' },
      body: 'x',
    },
    'rh showLog': {
      need: 'job',
      params: { id: job.id, index: 0 },
      body: { start: 9, size: 1, folder: '0123456789abcdef', at: 0, crc: 0 },
    },
    'rh getSshVisitors': { need: 'job', params: { id: job.id } },
    'rh findCache': { need: 'job', params: { id: job.id }, body: { keys: ['a'], exact: false } },
    'rh readCache': { need: 'job', params: { id: job.id, cache: none } },
    'rh saveCache': { need: 'job', params: { id: job.id }, query: { key: 'a' }, body: 'x' },
    'rh listLayers': { need: 'job', params: { id: job.id } },
    'rh readLayer': { need: 'job', params: { id: job.id, layer: none } },
    'rh saveLayer': { need: 'job', params: { id: job.id }, query: { step: 0 }, body: 'x' },
    'rh lendArchive': {
      need: 'job',
      params: { id: job.id },
      body: { kind: 'cache', archive: none, file: '0123456789abcdef0123456789abcdef' },
    },
    'rh handInCache': {
      need: 'job',
      params: { id: job.id },
      body: { key: 'a', file: '0123456789abcdef0123456789abcdef' },
    },
    'rh handInLayer': {
      need: 'job',
      params: { id: job.id },
      body: { step: 0, file: '0123456789abcdef0123456789abcdef' },
    },
    'rh saveArtifacts': { need: 'job', params: { id: job.id }, body: '[["out.txt",1]]\nx' },
    'rh saveArtifact': { need: 'job', params: { id: job.id }, query: { path: 'out.txt' }, body: 'x' },
    'rh storeTests': {
      need: 'job',
      params: { id: job.id, index: 0 },
      body: { batch: 0, tests: [], bytes: 0, problems: [] },
    },
    'rh readTimings': { need: 'job', params: { id: job.id }, query: { type: 'autodetect' } },
    'rh readQuarantine': { need: 'job', params: { id: job.id } },
    'rh listQuarantine': { need: 'read', params: { id: project.id } },
    'rh quarantineTest': { need: 'configure', params: { id: project.id }, body: { name: 'adds' } },
    'rh releaseTest': { need: 'configure', params: { id: project.id }, query: { name: 'adds' } },
    'rh getTestHistory': { need: 'read', params: { id: project.id }, query: { name: 'adds' } },
    'rh getWaiting': { need: 'read', params: { id: project.id } },
    'rh getCriticalPath': { need: 'read', params: { id: workflow.id } },
    'rh getCacheUse': { need: 'read', params: { id: project.id } },
    'rh listRunDays': { need: 'read', params: { id: project.id }, query: { 'workflow-name': 'main' } },
    'rh exportRuns': { need: 'read', params: { id: project.id } },
    'rh makeIdentityToken': { need: 'job', params: { id: job.id }, body: {} },
    'rh readFailedTests': { need: 'job', params: { id: job.id } },
    'rh rerunFailedTests': { need: 'build', params: { id: workflow.id } },
    'rh finishJob': { need: 'job', params: { id: job.id }, body: { outcome: 'success', reason: null, steps: [] } },
  }
}

const timetabled = {
  name: 'nightly',
  timetable: { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON'] },
  'attribution-actor': 'system',
  parameters: { branch: 'main' },
}

/** The schedule that is there before every request. */
export const scheduleId = '018f0000-0000-7000-8000-00000000000c'

/** The context that is there before every request. */
export const contextId = '018f0000-0000-7000-8000-00000000000b'

/** The webhook that is there before every request. */
export const webhookId = '018f0000-0000-7000-8000-00000000000a'

/** A delivery of it. */
export const deliveryId = '018f0000-0000-7000-8000-00000000000b'

/** The request itself, yet without a credential. */
export function questionOf({ endpoint }: Operation, { params, query, body, headers }: Asked): Question {
  return {
    method: endpoint.method,
    path: addressOf(endpoint, params, query),
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headOnly: endpoint.form === 'stream',
  }
}
