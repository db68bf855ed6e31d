import * as contract from '#contract/v2/config.ts'
import type { App } from '#server/app/app.ts'
import { compileConfig } from '#server/app/compile-config.ts'
import type { Serving } from '#server/api/serve.ts'

/** Configurations of generation 2, looked at without a pipeline. */
export function serveConfig({ serve }: Serving, { world }: App): void {
  serve(contract.compileConfig, async ({ body: { config_yaml: source, options } }) => {
    const compiled = await compileConfig(
      world,
      source,
      options?.pipeline_parameters ?? {},
      options?.pipeline_values ?? {},
    )
    return {
      valid: compiled.valid,
      'source-yaml': source,
      'output-yaml': compiled.output,
      errors: compiled.errors.map((message) => ({ message })),
    }
  })
}
