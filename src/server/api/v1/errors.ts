import type { FastifyInstance } from 'fastify'
import { answerErrors } from '#server/api/errors.ts'
import type { Log } from '#server/app/world.ts'

/** Errors of generation 1.1 are JSON whatever was asked for: clients read their message before they look at the type. */
export function answerErrorsV1(http: FastifyInstance, log: Log): void {
  answerErrors(http, log)
}
