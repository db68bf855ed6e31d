import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { readUsage } from '#contract/rh/usage.ts'
import type { UsageExport } from '#contract/v2/usage.ts'
import * as contract from '#contract/v2/usage.ts'
import type { App } from '#server/app/app.ts'
import { askForUsage, usageExportFor, type UsageExportRow, usageOf } from '#server/app/usage-exports.ts'
import type { Serving } from '#server/api/serve.ts'

const view = (row: UsageExportRow, state: UsageExport['state'], url?: string): UsageExport => ({
  usage_export_job_id: row.id,
  state,
  start: row.from_at,
  end: row.until_at,
  download_urls: url === undefined ? null : [url],
})

/** Accounts of usage. */
export function serveUsage({ serve }: Serving, { world }: App): void {
  serve(contract.createUsageExport, async ({ caller, params, body }) => {
    const wish = { start: body.start, end: body.end, others: body.shared_org_ids ?? [] }
    return view(await askForUsage(world, caller, params.org_id, wish), 'created')
  })
  serve(contract.getUsageExport, async ({ caller, params }) => {
    const { row, url } = await usageExportFor(world, caller, params.org_id, params.usage_export_job_id)
    return view(row, 'completed', url)
  })
}

/** The account itself, by a link that authorizes itself. */
export function serveUsageFile({ serve }: Serving, { world }: App): void {
  serve(readUsage, async ({ params, query, reply }) => {
    const lines = await usageOf(world, params.id, query.until, query.signature)
    return reply
      .header('content-type', 'application/gzip')
      .header('content-disposition', `attachment; filename="usage-${params.id}.csv.gz"`)
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(lines, { objectMode: false }).pipe(createGzip()))
  })
}
