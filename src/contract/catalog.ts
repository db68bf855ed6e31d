import * as agent from './agent.ts'
import type { Endpoint } from './endpoint.ts'
import * as rhAgents from './rh/agents.ts'
import * as rhJob from './rh/job.ts'
import * as rhLive from './rh/live.ts'
import * as rhLog from './rh/log.ts'
import * as rhProjects from './rh/projects.ts'
import * as rhSession from './rh/session.ts'
import * as v1Builds from './v1/builds.ts'
import * as v1Projects from './v1/projects.ts'
import * as v1Tokens from './v1/tokens.ts'
import * as v1User from './v1/user.ts'
import * as v2Job from './v2/job.ts'
import * as v2Pipeline from './v2/pipeline.ts'
import * as v2Project from './v2/project.ts'
import * as v2User from './v2/user.ts'
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
  v1: { user: v1User, tokens: v1Tokens, projects: v1Projects, builds: v1Builds },
  v2: {
    user: v2User,
    project: v2Project,
    pipeline: v2Pipeline,
    workflow: v2Workflow,
    job: v2Job,
    webhook: v2Webhook,
  },
  rh: {
    session: rhSession,
    projects: rhProjects,
    job: rhJob,
    log: rhLog,
    live: rhLive,
    agents: rhAgents,
    agent,
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
