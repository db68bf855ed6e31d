import type { Access, Method } from '#contract/endpoint.ts'
import { newSignInKey, signIn } from '#server/app/people.ts'
import { userById } from '#server/store/people.ts'
import type { Question } from './ask.ts'
import type { Need } from './auth-operations.ts'
import type { Farm } from './farm.ts'
import { newProjectToken, type Person } from './people.ts'
import type { Service } from './service.ts'

/** What becomes of a request, as far as the caller matters. */
export type Fate = 'let in' | 401 | 403 | 404

/** The operation, as far as the caller matters. */
export interface Gate {
  readonly need: Need
  readonly access: Access
  readonly method: Method
  readonly generation: 'v1' | 'v2' | 'rh'
}

/** A way of coming, and what must become of it. */
export interface Caller {
  readonly name: string
  dress(question: Question): Question | Promise<Question>
  fate(gate: Gate): Fate
}

const basic = (token: string) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`
const header = (name: string, value: string) => (question: Question) => ({
  ...question,
  headers: { ...question.headers, [name]: value },
})
const query = (text: string) => (question: Question) => ({
  ...question,
  path: `${question.path}${question.path.includes('?') ? '&' : '?'}${text}`,
})

/** Whoever may come, and however. */
export async function callersOf(service: Service, farm: Farm): Promise<readonly Caller[]> {
  const { ada, agent, job, project } = farm
  const owner = ways(ada).map(([name, dress]) => ({ name: `the owner with ${name}`, dress, fate: ownerFate }))
  const scopes = ['status', 'view-builds', 'trigger-builds', 'read-settings', 'write-settings', 'all']
  const ofProject = await Promise.all(
    scopes.map(async (scope) => projectCaller(scope, await newProjectToken(service.world, project.id, scope))),
  )
  const as = (name: string, token: string, fate: Caller['fate']): Caller => ({
    name,
    dress: header('service-token', token),
    fate,
  })
  return [
    { name: 'nobody', dress: (question) => question, fate: ({ need }) => (need === 'anyone' ? 'let in' : 401) },
    as('a bad token', 'rhu_nobody', ({ need }) => (need === 'anyone' ? 'let in' : 401)),
    as('a bad job token', 'rhj_nobody', ({ need }) => (need === 'anyone' ? 'let in' : 401)),
    ...owner,
    cookieCaller(service, ada, false),
    cookieCaller(service, ada, true),
    as('a member', farm.member.token, (gate) => (gate.need === 'own' ? 403 : ownerFate(gate))),
    as('a viewer', farm.viewer.token, (gate) =>
      ['build', 'add', 'configure', 'own'].includes(gate.need) ? 403 : ownerFate(gate),
    ),
    as('a member of another organization', farm.stranger.token, strangerFate),
    as('an administrator', service.admin.token, (gate) => (gate.need === 'admin' ? 'let in' : ownerFate(gate))),
    ...ofProject,
    as('an agent', agent, ({ need }) => (need === 'anyone' || need === 'agent' ? 'let in' : 403)),
    as('the steps of a job', job.checkout.credential ?? '', ({ need }) => (need === 'anyone' ? 'let in' : 403)),
    as('a bad token of steps', 'rhg_nobody', ({ need }) => (need === 'anyone' ? 'let in' : 401)),
    as('a job', job.token, ({ need }) => (need === 'anyone' || need === 'job' ? 'let in' : 403)),
  ]
}

function ways({ token }: Person): readonly (readonly [string, (question: Question) => Question])[] {
  return [
    ['Service-Token', header('service-token', token)],
    ['Circle-Token', header('circle-token', token)],
    ['Basic', header('authorization', basic(token))],
    ['Bearer', header('authorization', `Bearer ${token}`)],
    ['query service-token', query(`service-token=${token}`)],
    ['query circle-token', query(`circle-token=${token}`)],
    [
      'a header beside an empty query token',
      (question) => query('circle-token=')(header('circle-token', token)(question)),
    ],
    [
      'header and Basic together',
      (question) => header('authorization', basic(token))(header('circle-token', token)(question)),
    ],
  ]
}

function ownerFate({ need }: Gate): Fate {
  return need === 'admin' || need === 'agent' || need === 'job' ? 403 : 'let in'
}

/** What one may not see does not exist; only who names an organization to add something to is told that it is not theirs. */
function strangerFate(gate: Gate): Fate {
  if (gate.need === 'add') return 403
  return ['read', 'build', 'configure', 'own'].includes(gate.need) ? 404 : ownerFate(gate)
}

function cookieCaller(service: Service, { id }: Person, proven: boolean): Caller {
  return {
    name: `a session ${proven ? 'with' : 'without'} X-Requested-With`,
    async dress(question) {
      const user = await userById(service.world.db, { id })
      if (!user) throw new Error(`Cannot find user ${id}`)
      const { session } = await signIn(service.world, await newSignInKey(service.world, user))
      const cookie = header('cookie', `other=1; roundhouse_session=${session}`)(question)
      return proven ? header('x-requested-with', 'roundhouse')(cookie) : cookie
    },
    fate: (gate) => (proven || gate.method === 'GET' || gate.need === 'anyone' ? ownerFate(gate) : 403),
  }
}

const held: Readonly<Record<string, readonly string[]>> = {
  all: ['view-builds', 'trigger-builds', 'read-settings', 'write-settings', 'all'],
  'write-settings': ['read-settings', 'write-settings'],
}

function projectCaller(scope: string, token: string): Caller {
  return {
    name: `a project token for ${scope}`,
    dress: header('circle-token', token),
    fate({ need, access, generation }) {
      if (need === 'anyone') return 'let in'
      if (generation === 'v2') return 404
      const wanted = access.split(':')[1]
      return wanted !== undefined && (held[scope] ?? [scope]).includes(wanted) ? 'let in' : 403
    },
  }
}
