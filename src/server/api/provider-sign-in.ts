import type { FastifyInstance } from 'fastify'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { providerCallback, providerDoor, signInProviders } from '#server/app/provider-door.ts'
import { goBack, goOn, wantedPage } from './after-sign-in.ts'
import { cookieOf } from './credentials.ts'
import { letIn } from './rh/session.ts'

/** The two addresses for each provider by which browsers sign in there. */
export function serveProviderSignIn(http: FastifyInstance, app: App): void {
  const { terms, log } = app.world
  // Lax, unlike the session: it must come along when the provider sends the browser back.
  const attributes = `Path=/sign-in; HttpOnly; SameSite=Lax${terms.baseUrl.startsWith('https:') ? '; Secure' : ''}`
  for (const code of signInProviders(app.world)) {
    const door = () => providerDoor(app.world, code)
    const cookie = `roundhouse_${code}`
    http.get(`/sign-in/${code}`, async (request, reply) => {
      const { url, memo } = door().begin(wantedPage(request))
      return reply.header('set-cookie', `${cookie}=${memo}; Max-Age=600; ${attributes}`).redirect(url)
    })
    http.get(providerCallback(code), async (request, reply) => {
      void reply.header('set-cookie', `${cookie}=; Max-Age=0; ${attributes}`)
      const memo = cookieOf(request.headers.cookie, cookie) ?? ''
      try {
        await letIn(app, request, reply, code, await door().finish(new URL(request.url, terms.baseUrl), memo))
        return await goOn(reply, app.world, memo)
      } catch (error) {
        if (!(error instanceof Refusal))
          log.warn('A sign-in at a provider failed', { provider: code, error: String(error) })
        return goBack(reply, app.world, memo, error)
      }
    })
  }
}
