import type { FastifyReply } from 'fastify'
import * as contract from '#contract/v1/builds.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { triggeredOf } from '#server/app/builds/build.ts'
import type { Caller } from '#server/app/callers.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import type { Target } from '#server/app/trigger.ts'
import { triggerAsPush } from '#server/app/trigger-as-push.ts'
import { triggerBuild } from '#server/app/trigger-build.ts'
import type { Serving } from '#server/api/serve.ts'
import { actorOf } from './actor.ts'
import { projectName } from './project-name.ts'

/** What begins builds of generation 1.1. */
export function serveTriggers({ serve }: Serving, app: App): void {
  serve(contract.triggerBuild, async ({ caller, params, body, reply }) => {
    const target = { tag: given(body.tag), revision: given(body.revision) }
    return triggered(app, caller, params, target, body, reply)
  })

  serve(contract.triggerBranchBuild, async ({ caller, params, body, reply }) => {
    const target = { branch: params['*'], revision: given(body.revision) }
    return triggered(app, caller, params, target, body, reply)
  })

  serve(contract.buildProject, async ({ caller, params, query, body }) => {
    const project = await projectFor(app.world, caller, 'build', projectName(params))
    const target = {
      branch: given(body.branch) ?? query.branch,
      tag: given(body.tag) ?? query.tag,
      revision: given(body.revision) ?? query.revision,
    }
    await triggerAsPush(app, project, asUser(caller).id, target)
    return { status: 200, body: 'Build created' }
  })
}

/** Clients send what they have: nothing, null and the empty text are the same. */
const given = (value: string | null | undefined): string | undefined => value || undefined

interface Wanted {
  readonly job?: string | null
  readonly config?: string | null
  readonly build_parameters?: Readonly<Record<string, unknown>> | null
}

/** What a body may say beside the parameters of the build. */
const words = new Set(['tag', 'revision', 'branch', 'parallel', 'job', 'config', 'notify', 'build_parameters'])

/** Parameters that a client put beside the others and not among them. */
const flat = (body: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([key, value]) => !words.has(key) && name.test(key) && ['string', 'number', 'boolean'].includes(typeof value),
    ),
  )

async function triggered(
  app: App,
  caller: Caller,
  params: Parameters<typeof projectName>[0],
  target: Target,
  wanted: Wanted,
  reply: FastifyReply,
) {
  const project = await projectFor(app.world, caller, 'build', projectName(params))
  const parameters = buildParameters({ ...flat(wanted), ...wanted.build_parameters })
  const job = given(wanted.job) ?? parameters['SERVICE_JOB'] ?? parameters['CIRCLE_JOB'] ?? 'build'
  const build = await triggerBuild(app, project, actorOf(caller), target, {
    job,
    buildParameters: parameters,
    config: given(wanted.config),
  })
  const path = `/api/v1.1/project/${project.provider}/${project.organization}/${project.name}/${build.number}`
  reply.header('location', app.world.terms.baseUrl + path)
  return triggeredOf(app, project, build)
}

const name = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Values become text: composite ones as JSON. */
function buildParameters(all: Readonly<Record<string, unknown>>): Record<string, string> {
  const wrong = Object.keys(all).find((key) => !name.test(key))
  if (wrong !== undefined)
    throw new Refusal(
      'invalid',
      `Cannot use build parameter ${JSON.stringify(wrong.slice(0, 100))}: it is no name of a variable`,
    )
  return Object.fromEntries(
    Object.entries(all).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
