import * as contract from '#contract/v2/runner.ts'
import type { App } from '#server/app/app.ts'
import * as classes from '#server/app/resource-classes.ts'
import type { Serving } from '#server/api/serve.ts'

const classView = ({ id, name, description }: classes.ResourceClassRow): contract.ResourceClass => ({
  id,
  resource_class: name,
  description,
})

const tokenView = (row: classes.ResourceClassRow, token: classes.TokenRow): contract.RunnerToken => ({
  id: token.id,
  resource_class: row.name,
  nickname: token.label,
  created_at: token.created_at,
})

/** Resource classes and the agents that serve them, as the service of runners tells of them. */
export function serveRunners({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listResourceClasses, async ({ caller, query }) => {
    const rows = await classes.listClasses(world, caller, query.namespace, query['org-id'])
    return { items: rows.map(classView) }
  })
  serve(contract.createResourceClass, async ({ caller, body }) =>
    classView(await classes.createClass(world, caller, body.resource_class, body.description ?? '', body.org_id)),
  )
  serve(contract.deleteResourceClass, async ({ caller, params }) => {
    await classes.removeClass(app, caller, params.id, false)
    return { message: 'Resource class deleted.' }
  })
  serve(contract.forceDeleteResourceClass, async ({ caller, params }) => {
    await classes.removeClass(app, caller, params.id, true)
    return { message: 'Resource class deleted.' }
  })

  serve(contract.listRunnerTokens, async ({ caller, query }) => {
    const { row, tokens } = await classes.listClassTokens(world, caller, query['resource-class'])
    return { items: tokens.map((token) => tokenView(row, token)) }
  })
  serve(contract.createRunnerToken, async ({ caller, body }) => {
    const { id, token, createdAt, row } = await classes.createClassToken(
      world,
      caller,
      body.resource_class,
      body.nickname,
    )
    return { id, token, resource_class: row.name, nickname: body.nickname, created_at: createdAt }
  })
  serve(contract.deleteRunnerToken, async ({ caller, params }) => {
    await classes.removeClassToken(app, caller, params.id)
    return { message: 'Token deleted.' }
  })

  serve(contract.listRunners, async ({ caller, query }) => {
    const found = await classes.listRunners(world, caller, {
      namespace: query.namespace,
      name: query['resource-class'],
    })
    const items = found.flatMap((agent) => {
      const { name, version, seen_at: seen, created_at: first_connected, class: resource_class } = agent
      // One that never came is a token, and no runner.
      return seen === null
        ? []
        : [{ resource_class, hostname: name, name, version, status: agent.mode, first_connected, last_connected: seen }]
    })
    return { items }
  })
  serve(contract.countWaitingTasks, async ({ caller, query }) => ({
    unclaimed_task_count: await classes.countTasks(world, caller, query['resource-class'], 'waiting'),
  }))
  serve(contract.countRunningTasks, async ({ caller, query }) => ({
    running_runner_tasks: await classes.countTasks(world, caller, query['resource-class'], 'running'),
  }))
}
