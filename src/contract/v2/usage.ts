import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'

const Urls = Nullable(Type.Array(Type.String()))

/** An account of what the jobs of an organization used. */
export const UsageExport = Type.Object({
  usage_export_job_id: Uuid,
  state: OneOf('created', 'processing', 'completed', 'failed'),
  start: Time,
  end: Time,
  /** Null until it is completed, and where nothing ran. */
  download_urls: Urls,
})
export type UsageExport = Static<typeof UsageExport>

const Organization = Type.Object({ org_id: Uuid })

export const createUsageExport = endpoint({
  method: 'POST',
  path: '/organizations/:org_id/usage_export_job',
  summary: 'Ask for an account of what the jobs of an organization used in some days, at most 31',
  access: 'user',
  status: 201,
  params: Organization,
  body: Type.Object({
    start: Time,
    end: Time,
    shared_org_ids: Type.Optional(Type.Array(Uuid, { maxItems: 100 })),
  }),
  response: UsageExport,
})

export const getUsageExport = endpoint({
  method: 'GET',
  path: '/organizations/:org_id/usage_export_job/:usage_export_job_id',
  summary: 'Read where an account of usage can be fetched',
  access: 'user',
  params: Type.Object({ org_id: Uuid, usage_export_job_id: Uuid }),
  response: UsageExport,
})
