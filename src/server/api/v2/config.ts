import * as contract from '#contract/v2/config.ts'
import type { App } from '#server/app/app.ts'
import { isUuid } from '#kit/uuid.ts'
import { orbsFor } from '#server/app/orb-prefixes.ts'
import { organizationFor } from '#server/app/organizations.ts'
import { compileConfig } from '#server/app/compile-config.ts'
import type { Serving } from '#server/api/serve.ts'

/** Configurations of generation 2, looked at without a pipeline. */
export function serveConfig({ serve }: Serving, { world }: App): void {
  serve(contract.compileConfig, async ({ caller, body: { config_yaml: source, options } }) => {
    const owner = options?.owner_id
    // Whose orbs by address are allowed.
    const isNamed = typeof owner === 'string' && isUuid(owner)
    const organization = isNamed ? await organizationFor(world, caller, 'viewer', { id: owner }) : undefined
    const compiled = await compileConfig(
      world,
      source,
      options?.pipeline_parameters ?? {},
      options?.pipeline_values ?? {},
      organization && orbsFor(world, organization.id),
    )
    return {
      valid: compiled.valid,
      'source-yaml': source,
      'output-yaml': compiled.output,
      errors: compiled.errors.map((message) => ({ message })),
    }
  })
}
