import * as inbound from '#contract/rh/inbound.ts'
import type { Trigger } from '#contract/v2/trigger.ts'
import * as contract from '#contract/v2/trigger.ts'
import { systemActor } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { fireWebhook } from '#server/app/fire-triggers.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { asUser, projectOfId } from '#server/app/permissions.ts'
import * as triggers from '#server/app/triggers.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'

function view(world: World, project: ProjectRow, row: triggers.TriggerRow, secret = '**REDACTED**'): Trigger {
  const repo = { full_name: `${project.organization}/${project.name}`, external_id: row.repository }
  const url = `${world.terms.baseUrl}/api/rh/v1/trigger/${row.id}?secret=${secret}`
  return {
    id: row.id,
    created_at: row.created_at,
    name: row.name,
    description: row.description,
    event_name: row.event_name,
    ...(row.preset !== null && { event_preset: row.preset }),
    checkout_ref: row.checkout_ref,
    config_ref: row.config_ref,
    disabled: row.disabled === 1,
    ...(row.parameters !== null && { parameters: JSON.parse(row.parameters) as Trigger['parameters'] & {} }),
    event_source: {
      provider: row.source,
      ...(row.preset !== null && { repo }),
      ...(row.sender !== null && { webhook: { url, sender: row.sender } }),
      ...(row.cron !== null && {
        schedule: { cron_expression: row.cron, attribution_actor: { id: row.actor_id ?? systemActor.id } },
      }),
    },
  }
}

interface Said {
  readonly [name: string]: unknown
  readonly name?: string
  readonly description?: string
  readonly event_name?: string
  readonly event_preset?: string
  readonly checkout_ref?: string
  readonly config_ref?: string
  readonly disabled?: boolean
  readonly parameters?: Trigger['parameters'] | null
  readonly event_source?: {
    readonly provider?: string
    readonly repo?: { readonly external_id?: string }
    readonly webhook?: { readonly sender?: string }
    readonly schedule?: { readonly cron_expression?: string; readonly attribution_actor?: 'current' | 'system' }
  }
}

const formOf = ({ event_source: source, ...said }: Said): triggers.TriggerForm => ({
  name: said.name,
  description: said.description,
  eventName: said.event_name,
  preset: said.event_preset,
  checkoutRef: said.checkout_ref,
  configRef: said.config_ref,
  disabled: said.disabled,
  parameters: said.parameters === null ? {} : said.parameters,
  source: source?.provider,
  repository: source?.repo?.external_id,
  sender: source?.webhook?.sender,
  cron: source?.schedule?.cron_expression,
  attribution: source?.schedule?.attribution_actor,
})

const mostBytes = 100_000

/** Triggers of generation 2, and the address at which a webhook triggers. */
export function serveTriggers({ serve }: Serving, { world }: App): void {
  serve(contract.listTriggers, async ({ caller, params }) => {
    const project = await projectOfId(world, caller, 'inspect', params.project_id.toLowerCase())
    const rows = await triggers.listTriggers(world, project, params.definition_id)
    return { items: rows.map((row) => view(world, project, row)), next_page_token: null }
  })
  serve(contract.createTrigger, async ({ caller, params, body }) => {
    const project = await projectOfId(world, caller, 'configure', params.project_id.toLowerCase())
    const { provider: source, repo } = body.event_source
    const form = { ...formOf(body as Said), source, repository: repo?.external_id || project.id }
    const made = await triggers.createTrigger(world, asUser(caller), project, params.definition_id, form)
    return view(world, project, made.row, made.secret)
  })
  serve(contract.getTrigger, async ({ caller, params }) => {
    const project = await projectOfId(world, caller, 'inspect', params.project_id.toLowerCase())
    return view(world, project, await triggers.findTrigger(world, project, params.trigger_id))
  })
  serve(contract.updateTrigger, async ({ caller, params, body }) => {
    const project = await projectOfId(world, caller, 'configure', params.project_id.toLowerCase())
    const form = formOf(body as Said)
    return view(world, project, await triggers.changeTrigger(world, asUser(caller), project, params.trigger_id, form))
  })
  serve(contract.deleteTrigger, async ({ caller, params }) => {
    const project = await projectOfId(world, caller, 'configure', params.project_id.toLowerCase())
    await triggers.removeTrigger(world, project, params.trigger_id)
    return { message: 'Trigger deleted.' }
  })
}

/** The address that the webhook of a trigger has. */
export function serveInbound({ serve }: Serving, { world }: App): void {
  serve(inbound.fireTrigger, async ({ params, query, body }) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    if (text.length > mostBytes)
      throw new Refusal(
        'too-large',
        `Cannot run a pipeline as its webhook may bring ${mostBytes} bytes: it brought more`,
      )
    const made = await fireWebhook(world, params.trigger_id, query.secret, text)
    return { id: made.id, state: 'pending' as const, number: made.number, created_at: made.created_at }
  })
}
