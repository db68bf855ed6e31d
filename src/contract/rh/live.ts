import { type Static, Type } from 'typebox'
import { endpoint, Events } from '#contract/endpoint.ts'

/** The data of one `look` event: what has changed, as `project:<id>`, `pipeline:<id>`, `workflow:<id>` or `job:<id>`. Read it again. */
export const LookAgain = Type.Object({ topic: Type.String() })
export type LookAgain = Static<typeof LookAgain>

export const watchChanges = endpoint({
  method: 'GET',
  path: '/live',
  summary:
    'Be told to look again, by events `look`, when something of a project changes; without one, of any that the caller may see',
  access: 'user',
  form: 'stream',
  query: Type.Object({ project: Type.Optional(Type.String()) }),
  response: Events,
})
