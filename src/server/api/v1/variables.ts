import * as variables from '#contract/v1/variables.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { projectFor } from '#server/app/permissions.ts'
import { findVariable, listVariables, removeVariable, setVariable } from '#server/app/variables.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'

/** Variables of generation 1.1. */
export function serveVariables({ serve }: Serving, app: App): void {
  const { world } = app
  const shown = ({ name, value }: { readonly name: string; readonly value: string }) => ({ name, value })
  serve(variables.listVariables, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', projectName(params))
    return (await listVariables(world, project)).map(shown)
  })
  serve(variables.setVariable, async ({ caller, params, body, reply, request }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    const made = await setVariable(world, project, body.name, body.value)
    reply.header('location', `${request.url.split('?')[0]}/${made.name}`)
    return shown(made)
  })
  serve(variables.getVariable, async ({ caller, params }) => {
    const found = await findVariable(
      world,
      await projectFor(world, caller, 'inspect', projectName(params)),
      params.name,
    )
    if (!found) throw new Refusal('not-found', 'env var not found')
    return shown(found)
  })
  serve(variables.deleteVariable, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    if (!(await removeVariable(world, project, params.name))) throw new Refusal('not-found', 'env var not found')
    return { message: 'ok' }
  })
}
