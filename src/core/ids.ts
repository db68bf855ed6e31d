import type { Id } from '#kit/brand.ts'

export type UserId = Id<'user'>
export type OrganizationId = Id<'organization'>
export type ProjectId = Id<'project'>
export type PipelineId = Id<'pipeline'>
export type WorkflowId = Id<'workflow'>
export type JobId = Id<'job'>
export type AgentId = Id<'agent'>
export type WebhookId = Id<'webhook'>
export type EventId = Id<'event'>
export type TokenId = Id<'token'>
