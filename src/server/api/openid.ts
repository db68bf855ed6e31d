import type { FastifyInstance } from 'fastify'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { openIdCallback, openIdDoor } from '#server/app/openid.ts'
import { goBack, goOn, wantedPage } from './after-sign-in.ts'
import { cookieOf } from './credentials.ts'
import { letIn } from './rh/session.ts'

const memoCookie = 'roundhouse_openid'

/** The two addresses by which browsers sign in at an OpenID provider; none where there is no provider. */
export function serveOpenId(http: FastifyInstance, app: App): void {
  const { terms, log } = app.world
  if (!terms.openid) return
  const door = openIdDoor(app.world, terms.openid)
  // Lax, unlike the session: it must come along when the provider sends the browser back.
  const attributes = `Path=/sign-in; HttpOnly; SameSite=Lax${terms.baseUrl.startsWith('https:') ? '; Secure' : ''}`

  http.get('/sign-in/openid', async (request, reply) => {
    try {
      const { url, memo } = await door.begin(wantedPage(request))
      return await reply.header('set-cookie', `${memoCookie}=${memo}; Max-Age=600; ${attributes}`).redirect(url.href)
    } catch (error) {
      log.warn('The OpenID provider cannot be asked', { error: String(error) })
      return reply.redirect('/sign-in?problem=provider')
    }
  })

  http.get(openIdCallback, async (request, reply) => {
    void reply.header('set-cookie', `${memoCookie}=; Max-Age=0; ${attributes}`)
    const memo = cookieOf(request.headers.cookie, memoCookie) ?? ''
    try {
      const signedIn = await door.finish(new URL(request.url, terms.baseUrl), memo)
      await letIn(app, request, reply, 'openid', signedIn)
      return await goOn(reply, app.world, memo)
    } catch (error) {
      if (!(error instanceof Refusal)) log.warn('A sign-in at the OpenID provider failed', { error: String(error) })
      return goBack(reply, app.world, memo, error)
    }
  })
}
