import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { longSlugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { isBuilding, standingOf } from '#server/app/builds/standing.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { followedProjectsOf } from '#server/app/followed.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { authorize } from '#server/api/authorize.ts'
import { badge } from './badge.ts'
import { projectName } from './project-name.ts'
import { trayFeed } from './tray.ts'

/*
 * What is asked for outside of the interface: pictures in the readmes of projects, and the feed of programs that sit in a tray.
 * Both take every kind of token, also one that may see nothing but the status.
 */

/** Programs that poll ask for the head first, to see whether anybody is there. */
const alsoHead = { exposeHeadRoute: true }

type Named = Parameters<typeof projectName>[0]

/** Badges and feeds. */
export function serveStatus(http: FastifyInstance, app: App): void {
  const { world } = app

  http.get('/cc.xml', alsoHead, async (request, reply) => {
    const user = asUser(await authorize(app, 'user', request))
    const projects = await followedProjectsOf(app, user)
    return feed(reply, await Promise.all(projects.map((project) => trayProject(app, project))))
  })

  http.get('/:vcs/:org/:file(^[^/]+\\.(?:cc\\.xml|svg)$)', alsoHead, async (request, reply) => {
    const { vcs, org, file } = request.params as { readonly vcs: string; readonly org: string; readonly file: string }
    const ending = file.endsWith('.svg') ? '.svg' : '.cc.xml'
    const project = await statusOf(app, request, { vcs, org, repo: file.slice(0, -ending.length) })
    return ending === '.svg'
      ? picture(reply, badge(await standingOf(world, project)))
      : feed(reply, [await trayProject(app, project)])
  })

  http.get('/:vcs/:org/:repo/tree/*', alsoHead, async (request, reply) => {
    const { '*': rest, ...name } = request.params as Named & { readonly '*': string }
    // Without the ending it is the address of a page.
    if (!rest.endsWith('.svg')) return reply.callNotFound()
    const project = await statusOf(app, request, name)
    return picture(reply, badge(await standingOf(world, project, rest.slice(0, -'.svg'.length))))
  })
}

async function statusOf(app: App, request: FastifyRequest, name: Named): Promise<ProjectRow> {
  const caller = await authorize(app, 'project-or-public:status', request)
  return projectFor(app.world, caller, 'status', projectName(name))
}

async function trayProject({ world }: App, project: ProjectRow) {
  const standing = await standingOf(world, project)
  return {
    name: `${project.organization}/${project.name}`,
    url: `${world.terms.baseUrl}/${longSlugOf(world, project)}`,
    standing: { ...standing, isRunning: standing.isRunning || (await isBuilding(world, project)) },
  }
}

const feed = (reply: FastifyReply, projects: Parameters<typeof trayFeed>[0]) =>
  reply
    .header('content-type', 'application/xml; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(trayFeed(projects))

const picture = (reply: FastifyReply, svg: string) =>
  reply
    .header('content-type', 'image/svg+xml; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .send(svg)
