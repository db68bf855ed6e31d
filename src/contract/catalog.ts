import * as agent from './agent.ts'
import * as agentIdentity from './agent/identity.ts'
import * as agentReport from './agent/report.ts'
import * as agentTests from './agent/tests.ts'
import type { Endpoint } from './endpoint.ts'
import * as agentArtifact from './agent/artifact.ts'
import * as agentCache from './agent/cache.ts'
import * as agentExchange from './agent/exchange.ts'
import * as agentWorkspace from './agent/workspace.ts'
import * as rhAgents from './rh/agents.ts'
import * as rhFailedTests from './rh/failed-tests.ts'
import * as rhArtifacts from './rh/artifacts.ts'
import * as rhCaches from './rh/caches.ts'
import * as rhInbound from './rh/inbound.ts'
import * as rhInsights from './rh/insights.ts'
import * as rhQuarantine from './rh/quarantine.ts'
import * as rhDeliveries from './rh/deliveries.ts'
import * as rhFailures from './rh/failures.ts'
import * as rhJob from './rh/job.ts'
import * as rhLimits from './rh/limits.ts'
import * as rhLive from './rh/live.ts'
import * as rhLog from './rh/log.ts'
import * as rhNotifications from './rh/notifications.ts'
import * as rhOutput from './rh/output.ts'
import * as rhPipelines from './rh/pipelines.ts'
import * as rhConnection from './rh/connection.ts'
import * as rhForks from './rh/forks.ts'
import * as rhKeyRegistrations from './rh/key-registrations.ts'
import * as rhReceivers from './rh/receivers.ts'
import * as rhPolling from './rh/polling.ts'
import * as rhOrganizations from './rh/organizations.ts'
import * as rhProjectPage from './rh/project-page.ts'
import * as rhProjects from './rh/projects.ts'
import * as rhSearch from './rh/search.ts'
import * as rhSerial from './rh/serial.ts'
import * as rhSession from './rh/session.ts'
import * as rhTests from './rh/tests.ts'
import * as rhUsage from './rh/usage.ts'
import * as rhUsers from './rh/users.ts'
import * as rhSshKeys from './rh/ssh-keys.ts'
import * as v1Artifacts from './v1/artifacts.ts'
import * as v1Builds from './v1/builds.ts'
import * as v1CheckoutKeys from './v1/checkout-keys.ts'
import * as v1Organizations from './v1/organizations.ts'
import * as v1Projects from './v1/projects.ts'
import * as v1SshKeys from './v1/ssh-keys.ts'
import * as v1Tests from './v1/tests.ts'
import * as v1Tokens from './v1/tokens.ts'
import * as v1User from './v1/user.ts'
import * as v1Variables from './v1/variables.ts'
import * as v2CheckoutKey from './v2/checkout-key.ts'
import * as v2Claims from './v2/claims.ts'
import * as v2Config from './v2/config.ts'
import * as v2ContextRestriction from './v2/context-restriction.ts'
import * as v2Context from './v2/context.ts'
import * as v2Graphql from './v2/graphql.ts'
import * as v2OrbPrefix from './v2/orb-prefix.ts'
import * as v2Usage from './v2/usage.ts'
import * as v2Description from './v2/description.ts'
import * as v2Insights from './v2/insights.ts'
import * as v2Definition from './v2/definition.ts'
import * as v2Job from './v2/job.ts'
import * as v2Organization from './v2/organization.ts'
import * as v2Pipeline from './v2/pipeline.ts'
import * as v2ProjectSettings from './v2/project-settings.ts'
import * as v2Project from './v2/project.ts'
import * as v2Run from './v2/run.ts'
import * as v2Runner from './v2/runner.ts'
import * as v2Schedule from './v2/schedule.ts'
import * as v2Trigger from './v2/trigger.ts'
import * as v2User from './v2/user.ts'
import * as v2Variable from './v2/variable.ts'
import * as v2Webhook from './v2/webhook.ts'
import * as v2Workflow from './v2/workflow.ts'

/** The three interfaces: 1.1, 2, and our own. */
export type Generation = 'v1' | 'v2' | 'rh'

/** One operation of the service: where it lies, what it is called, and its declaration. */
export interface Operation {
  readonly generation: Generation
  readonly prefix: string
  /** The name under which a module of the contract exports it. */
  readonly operation: string
  /** The noun it belongs to. */
  readonly tag: string
  readonly endpoint: Endpoint
}

/** What comes before the path of every endpoint of a generation. */
export const prefixes: Readonly<Record<Generation, string>> = {
  v1: '/api/v1.1',
  v2: '/api/v2',
  rh: '/api/rh/v1',
}

type Module = Readonly<Record<string, unknown>>

const modules: Readonly<Record<Generation, Readonly<Record<string, Module>>>> = {
  v1: {
    user: v1User,
    tokens: v1Tokens,
    projects: v1Projects,
    organizations: v1Organizations,
    builds: v1Builds,
    artifacts: v1Artifacts,
    tests: v1Tests,
    'checkout-keys': v1CheckoutKeys,
    'ssh-keys': v1SshKeys,
    variables: v1Variables,
  },
  v2: {
    context: v2Context,
    'context-restriction': v2ContextRestriction,
    insights: v2Insights,
    user: v2User,
    organization: v2Organization,
    pipeline: v2Pipeline,
    job: v2Job,
    workflow: v2Workflow,
    webhook: v2Webhook,
    project: v2Project,
    'project-settings': v2ProjectSettings,
    run: v2Run,
    definition: v2Definition,
    trigger: v2Trigger,
    runner: v2Runner,
    'checkout-key': v2CheckoutKey,
    variable: v2Variable,
    schedule: v2Schedule,
    claims: v2Claims,
    config: v2Config,
    graphql: v2Graphql,
    'orb-prefix': v2OrbPrefix,
    usage: v2Usage,
    description: v2Description,
  },
  rh: {
    session: rhSession,
    users: rhUsers,
    organizations: rhOrganizations,
    projects: rhProjects,
    'project-page': rhProjectPage,
    search: rhSearch,
    pipelines: rhPipelines,
    job: rhJob,
    serial: rhSerial,
    log: rhLog,
    failures: rhFailures,
    tests: rhTests,
    output: rhOutput,
    usage: rhUsage,
    live: rhLive,
    deliveries: rhDeliveries,
    notifications: rhNotifications,
    artifacts: rhArtifacts,
    caches: rhCaches,
    agents: rhAgents,
    limits: rhLimits,
    'ssh-keys': rhSshKeys,
    polling: rhPolling,
    receivers: rhReceivers,
    forks: rhForks,
    keyRegistrations: rhKeyRegistrations,
    inbound: rhInbound,
    connection: rhConnection,
    agent: { ...agent, ...agentReport },
    'agent-identity': agentIdentity,
    'agent-tests': agentTests,
    'failed-tests': rhFailedTests,
    insights: rhInsights,
    quarantine: rhQuarantine,
    'agent-cache': agentCache,
    'agent-exchange': agentExchange,
    'agent-workspace': agentWorkspace,
    'agent-artifact': agentArtifact,
  },
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'access' in value && 'schema' in value

const operationsOf = (generation: Generation): readonly Operation[] =>
  Object.entries(modules[generation]).flatMap(([tag, module]) =>
    Object.entries(module).flatMap(([operation, value]) =>
      isEndpoint(value) ? [{ generation, prefix: prefixes[generation], operation, tag, endpoint: value }] : [],
    ),
  )

/** Every operation of the service: whatever is served, described or allowed is in this list. */
export const catalog: readonly Operation[] = (['v1', 'v2', 'rh'] as const).flatMap(operationsOf)
