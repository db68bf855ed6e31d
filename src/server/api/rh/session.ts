import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/rh/session.ts'
import { names } from '#core/names.ts'
import type { App } from '#server/app/app.ts'
import { noteDeed } from '#server/app/audit.ts'
import { anonymous } from '#server/app/callers.ts'
import type { UserRow } from '#server/app/find.ts'
import { signIn, signOut } from '#server/app/people.ts'
import { asUser } from '#server/app/permissions.ts'
import { signInProviders } from '#server/app/provider-door.ts'
import { type SignedIn, signInWithPassword } from '#server/app/sign-in.ts'
import { sessionCookie } from '#server/api/credentials.ts'
import type { Serving } from '#server/api/serve.ts'

const userView = (user: UserRow): contract.SessionUser => ({
  id: user.id,
  login: user.login,
  name: user.name,
  avatar_url: user.avatar_url,
  admin: user.admin === 1,
})

const attributesOf = ({ world }: App) =>
  `Path=/; HttpOnly; SameSite=Strict${world.terms.baseUrl.startsWith('https:') ? '; Secure' : ''}`

/** Lets a browser in: gives it its cookie, and notes who came from where. */
export async function letIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  way: string,
  { user, session }: SignedIn,
): Promise<void> {
  reply.header('set-cookie', `${sessionCookie}=${session}; Max-Age=${30 * 24 * 3600}; ${attributesOf(app)}`)
  await noteDeed(app, anonymous, { action: 'rh signIn', target: way, address: request.ip, actor: user })
}

/** Sessions of browsers. */
export function serveSession({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.signIn, async ({ body, request, reply }) => {
    const signedIn = await signIn(world, body.key)
    await letIn(app, request, reply, 'link', signedIn)
    return userView(signedIn.user)
  })
  serve(contract.signInWithPassword, async ({ body, request, reply }) => {
    const signedIn = await signInWithPassword(app, body.login, body.password, request.ip)
    await letIn(app, request, reply, 'password', signedIn)
    return userView(signedIn.user)
  })
  const { providers } = names[world.terms.dialect]
  const ways = signInProviders(world).map((code) => ({ name: providers[code].display, path: `/sign-in/${code}` }))
  serve(contract.getSignInWays, async () => ({
    password: true,
    ...(ways.length > 0 && { providers: ways }),
    openid: world.terms.openid ? { name: world.terms.openid.name, path: '/sign-in/openid' } : null,
  }))
  serve(contract.getSession, async ({ caller }) => userView(asUser(caller).user))
  serve(contract.signOut, async ({ caller, reply }) => {
    const user = asUser(caller)
    if (user.session) await signOut(world, user.token)
    app.callers.forget()
    reply.header('set-cookie', `${sessionCookie}=; Max-Age=0; ${attributesOf(app)}`)
    return { message: 'Signed out.' }
  })
}
