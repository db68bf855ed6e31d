import Fastify, { type FastifyInstance } from 'fastify'
import { catalog, type Generation, prefixes } from '#contract/catalog.ts'
import { appendLog } from '#contract/agent/report.ts'
import { openapi } from '#contract/openapi.ts'
import { getDescription } from '#contract/v2/description.ts'
import type { App } from '#server/app/app.ts'
import { serveAgents } from './agent/serve-agents.ts'
import { serveLogs } from './agent/serve-logs.ts'
import { serveAgentTests } from './agent/serve-tests.ts'
import { serveStorage, serveUploads } from './agent/serve-storage.ts'
import { readBodies } from './body.ts'
import { answerPreflights } from './cors.ts'
import { serveDocs } from './docs.ts'
import { answerErrors, answerUnread, answerUnrouted } from './errors.ts'
import { serveGitHost } from './git.ts'
import { serveHooks } from './hooks.ts'
import { serveHealth } from './health.ts'
import { serveIdentity } from './identity.ts'
import { serveOpenId } from './openid.ts'
import { serveProviderSignIn } from './provider-sign-in.ts'
import { rewrite } from './rewrite.ts'
import { serveFailedTests } from './rh/failed-tests.ts'
import { serveOwnInsights } from './rh/insights.ts'
import { serveQuarantine } from './rh/quarantine.ts'
import { serveDeliveries } from './rh/deliveries.ts'
import { serveNotifications } from './rh/notifications.ts'
import { serveOrganizations } from './rh/organizations.ts'
import { serveSession } from './rh/session.ts'
import { serveAgentList, serveLimits } from './rh/agents.ts'
import { servePipelineSearch } from './rh/cards.ts'
import { serveJobPage, serveProjectCards, serveWaiting } from './rh/pages.ts'
import { serveProjectPage } from './rh/project-page.ts'
import { serveSearch } from './rh/search.ts'
import { serveOutput } from './rh/output.ts'
import { serveStorageForPeople } from './rh/storage.ts'
import { serveSerialGroups } from './rh/serial.ts'
import { servePolling, serveUserSshKeys } from './rh/keys.ts'
import { serveConnections } from './rh/connection.ts'
import { serveForks } from './rh/forks.ts'
import { serveKeyRegistrations } from './rh/key-registrations.ts'
import { serveReceivers } from './rh/receivers.ts'
import { serveLogPages } from './rh/logs.ts'
import { serveStreams } from './rh/streams.ts'
import { serveAccounts } from './rh/users.ts'
import { type Manners, mount, openManners, plainManners, type Served, serving } from './serve.ts'
import { serveArtifacts } from './v1/artifacts.ts'
import { serveBuilds } from './v1/builds.ts'
import { serveMe } from './v1/me.ts'
import { serveOrganizations as serveV1Organizations } from './v1/organizations.ts'
import { serveProjects as serveV1Projects } from './v1/projects.ts'
import { serveKeys } from './v1/keys.ts'
import { serveTests } from './v1/tests.ts'
import { serveStatus } from './v1/status.ts'
import { serveTokens } from './v1/tokens.ts'
import { serveTriggers } from './v1/triggers.ts'
import { serveVariables } from './v1/variables.ts'
import { oldManners } from './v1/write.ts'
import { serveCheckoutKeys } from './v2/checkout-keys.ts'
import { serveConfig } from './v2/config.ts'
import { serveClaims } from './v2/claims.ts'
import { serveContexts } from './v2/contexts.ts'
import { serveGraphql } from './v2/graphql.ts'
import { serveOrbPrefixes } from './v2/orb-prefixes.ts'
import { serveUsage, serveUsageFile } from './v2/usage.ts'
import { serveDefinitions } from './v2/definitions.ts'
import { serveRunners } from './v2/runners.ts'
import { serveInbound, serveTriggers as serveV2Triggers } from './v2/triggers.ts'
import { serveInsights } from './v2/insights.ts'
import { serveJobs } from './v2/jobs.ts'
import { serveOrganizations as serveV2Organizations } from './v2/organizations.ts'
import { serveProjects, serveUsers, serveWebhooks } from './v2/others.ts'
import { servePipelines } from './v2/pipelines.ts'
import { serveJobTests } from './v2/tests.ts'
import { serveSchedules } from './v2/schedules.ts'
import { serveRuns } from './v2/run.ts'
import { serveSettings } from './v2/settings.ts'
import { serveWorkflows } from './v2/workflows.ts'
import { servePages } from './web.ts'

/** What the edge needs beside the application. */
export interface EdgeOptions {
  readonly version: string
  /** The folder of the built pages, where there are any. */
  readonly pages: string | undefined
  readonly isDraining: () => boolean
  /** Addresses of proxies that say truly where a request came from. */
  readonly trustedProxies?: readonly string[]
  /** How long a body that is read whole may take to come; a minute unless given. */
  readonly bodyMs?: number
}

const mostBodyBytes = 4 * 1024 * 1024

/** No schema is told to fastify, as our own are checked by typebox: where it finds no maker of checks it loads two, 5 MB. */
const noSchemas = (): never => {
  throw new Error('No route declares a schema to fastify')
}

/** Everything that is reached over HTTP, on one instance that is not listening yet. */
export async function openEdge(app: App, options: EdgeOptions): Promise<FastifyInstance> {
  const http = Fastify({
    bodyLimit: mostBodyBytes,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 2_000 },
    rewriteUrl: (request) => rewrite(request.url ?? '/'),
    exposeHeadRoutes: false,
    frameworkErrors: answerUnrouted,
    clientErrorHandler: answerUnread,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
  })
  answerErrors(http, app.world.log)
  readBodies(http, options.bodyMs)
  serveHealth(http, app, options.isDraining)
  serveIdentity(http, app)
  serveOpenId(http, app)
  serveHooks(http, app)
  serveProviderSignIn(http, app)
  serveDocs(http, () => describe(app, options))
  await servePages(http, options.pages)
  serveStatus(http, app)
  await generation(http, app, 'v1', v1Handlers(app), oldManners)
  await generation(http, app, 'v2', v2Handlers(app, options), openManners)
  await generation(http, app, 'rh', rhHandlers(app), plainManners)
  await http.register(async (logs) => serveLogs(logs, app), { prefix: prefixes.rh })
  await http.register(async (uploads) => mountUploads(uploads, app), { prefix: prefixes.rh })
  await http.register(async (git) => serveGitHost(git, app))
  return http
}

/** A generation has its own manners: how it reads bodies, writes answers and tells errors. */
async function generation(
  http: FastifyInstance,
  app: App,
  name: Generation,
  served: Served,
  manners: Manners,
): Promise<void> {
  const operations = catalog.filter(({ generation: of, endpoint }) => of === name && endpoint.form !== 'bytes')
  await http.register(
    async (plugin) => {
      if (manners.isOpen) answerPreflights(plugin)
      mount(plugin, app, operations, served, manners)
    },
    { prefix: prefixes[name] },
  )
}

/** What is sent as bytes is read as it comes, however much it is: its handlers say when it is too much. */
function mountUploads(http: FastifyInstance, app: App): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('*', { bodyLimit: Number.MAX_SAFE_INTEGER }, (_request, payload, done) =>
    done(null, payload),
  )
  const operations = catalog.filter(({ endpoint }) => endpoint.form === 'bytes' && endpoint !== appendLog)
  mount(http, app, operations, uploadHandlers(app), plainManners)
}

/** The operations that have no handler yet: they answer 501. */
export function unserved(app: App, options: EdgeOptions): readonly string[] {
  const served = new Set([
    ...v1Handlers(app).keys(),
    ...v2Handlers(app, options).keys(),
    ...rhHandlers(app).keys(),
    ...uploadHandlers(app).keys(),
    appendLog,
  ])
  return catalog
    .filter(({ endpoint }) => !served.has(endpoint))
    .map(({ prefix, endpoint }) => `${endpoint.method} ${prefix}${endpoint.path}`)
}

function v1Handlers(app: App): Served {
  const all = serving()
  serveMe(all, app)
  serveV1Projects(all, app)
  serveV1Organizations(all, app)
  serveBuilds(all, app)
  serveArtifacts(all, app)
  serveTriggers(all, app)
  serveVariables(all, app)
  serveTests(all, app)
  serveTokens(all, app)
  serveKeys(all, app)
  return all.served
}

const describe = ({ world }: App, { version }: EdgeOptions) => openapi(catalog, { version, url: world.terms.baseUrl })

function v2Handlers(app: App, options: EdgeOptions): Served {
  const all = serving()
  serveUsers(all, app)
  serveProjects(all, app)
  servePipelines(all, app)
  serveConfig(all, app)
  serveGraphql(all, app)
  serveOrbPrefixes(all, app)
  serveUsage(all, app)
  serveContexts(all, app)
  serveV2Organizations(all, app)
  serveDefinitions(all, app)
  serveV2Triggers(all, app)
  serveRunners(all, app)
  serveClaims(all, app)
  serveSettings(all, app)
  serveRuns(all, app)
  serveWorkflows(all, app)
  serveJobs(all, app)
  serveJobTests(all, app)
  serveWebhooks(all, app)
  serveSchedules(all, app)
  serveCheckoutKeys(all, app)
  serveInsights(all, app)
  // Made when first asked for: it costs more than any other answer, and few ask.
  let document: Record<string, unknown> | undefined
  all.serve(getDescription, async () => (document ??= { ...describe(app, options) }))
  return all.served
}

function rhHandlers(app: App): Served {
  const all = serving()
  serveSession(all, app)
  serveAccounts(all, app)
  serveOrganizations(all, app)
  serveProjectCards(all, app)
  serveProjectPage(all, app)
  serveSearch(all, app)
  servePipelineSearch(all, app)
  serveJobPage(all, app)
  serveWaiting(all, app)
  serveSerialGroups(all, app)
  serveDeliveries(all, app)
  serveNotifications(all, app)
  serveStreams(all, app)
  serveLogPages(all, app)
  serveOutput(all, app)
  serveUsageFile(all, app)
  serveAgentList(all, app)
  serveLimits(all, app)
  serveStorageForPeople(all, app)
  serveUserSshKeys(all, app)
  servePolling(all, app)
  serveReceivers(all, app)
  serveForks(all, app)
  serveKeyRegistrations(all, app)
  serveConnections(all, app)
  serveAgents(all, app)
  serveAgentTests(all, app)
  serveFailedTests(all, app)
  serveOwnInsights(all, app)
  serveQuarantine(all, app)
  serveInbound(all, app)
  serveStorage(all, app)
  return all.served
}

function uploadHandlers(app: App): Served {
  const all = serving()
  serveUploads(all, app)
  return all.served
}
