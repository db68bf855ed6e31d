import { Readable } from 'node:stream'
import { readOutput } from '#contract/rh/output.ts'
import type { App } from '#server/app/app.ts'
import { checkLink, outputOf } from '#server/app/builds/output.ts'
import type { Serving } from '#server/api/serve.ts'

/** What a step printed, by a link that authorizes itself. */
export function serveOutput({ serve }: Serving, { world }: App): void {
  serve(readOutput, async ({ params, query, reply }) => {
    const step = { job_id: params.job, node: params.node, position: params.step }
    checkLink(world, step, query.until, query.signature)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(await outputOf(world, step), { objectMode: false }))
  })
}
