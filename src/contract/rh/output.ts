import { Type } from 'typebox'
import { endpoint, Uuid } from '#contract/endpoint.ts'

/** What a step printed, in pieces: the text of all of them in a row is the log. */
export const Output = Type.Array(Type.Object({ message: Type.String(), time: Type.String(), type: Type.String() }))

export const readOutput = endpoint({
  method: 'GET',
  path: '/output/:job/:node/:step',
  summary: 'Read what a step printed, by the link that the record of its build gives',
  access: 'anyone',
  form: 'stream',
  params: Type.Object({ job: Uuid, node: Type.Integer({ minimum: 0 }), step: Type.Integer({ minimum: 0 }) }),
  query: Type.Object({ until: Type.String({ maxLength: 10 }), signature: Type.String({ maxLength: 100 }) }),
  response: Output,
})
