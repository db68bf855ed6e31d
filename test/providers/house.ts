import { setPolling } from '#contract/rh/polling.ts'
import { addProject } from '#contract/rh/projects.ts'
import { createReceiver, listHooks } from '#contract/rh/receivers.ts'
import type { Provider } from '#core/names.ts'
import type { Terms } from '#server/app/world.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import { type Clone, newClone } from '#test/api/repository.ts'
import { openService, type ServiceOptions } from '#test/api/service.ts'
import { openFake } from './fake-api.ts'
import { repositoryApi } from './fake-repository.ts'
import { gitFolder } from './git-server.ts'
import { sendHook } from './signed.ts'

export const config =
  'version: 2.1\njobs: { build: { machine: true, steps: [run: "true"] } }\nworkflows: { main: { jobs: [build] } }\n'

const kinds = { 'provider-a': 'github', 'provider-b': 'bitbucket', 'provider-c': 'gitlab' } as const

/**
 * A service, a provider with the repository acme/web in which `main` has a commit that was there before anybody looked, the project of it here,
 * and a receiver for its hooks. Nobody looks at the repository by himself: after a minute he would see what a hook is to tell of.
 */
export async function openHouse(provider: Provider, options: ServiceOptions = {}, text = config) {
  const folder = await gitFolder()
  const api = repositoryApi(kinds[provider], folder.pathOf)
  const away: ({ status: number; headers?: Record<string, string> } | undefined)[] = []
  const fake = await openFake(kinds[provider], async (request, response) => {
    if (await folder.answer(request, response)) return true
    const refused = away.shift()
    if (refused) response.writeHead(refused.status, refused.headers).end()
    return refused !== undefined || api.answer(request, response)
  })
  const webUrl = fake.url
  const terms: Partial<Terms> = {
    repositoryHosts: ['127.0.0.1'],
    providers: { ...publicProviders, [provider]: fake.terms },
    ...options.terms,
  }
  const service = await openService({ ...options, terms })
  const clone = await newClone()
  await folder.create('acme/web')
  await clone.commit('Begin', { '.service/config.yml': text })

  /** Moves refs at the provider, as a push does. */
  async function push(...refs: readonly string[]): Promise<void> {
    await clone.give(folder.pathOf('acme/web'), ...refs)
    await folder.refresh('acme/web')
  }

  await push('main')
  const url = `${webUrl}/acme/web.git`
  await service.call(addProject, { body: { url, organization: 'acme', name: 'web', provider } })
  const slug = { provider, org: 'acme', repo: 'web' }
  await service.call(setPolling, { params: slug, body: { every_seconds: 0 } })
  const receiver = await service.call(createReceiver, { params: slug })
  const outcomes = async () =>
    (await service.call(listHooks, { params: { receiver_id: receiver.id }, query: {} })).items.toReversed()

  const head = () => clone.revision('HEAD')
  /** A payload that names the newest commit, where the fixtures name one that nobody has. */
  const told = async (payload: string) => payload.replaceAll('2'.repeat(40), await head())

  return {
    service,
    folder,
    fake,
    state: fake.state,
    /** What the interface of the provider was asked of the repository. */
    asked: api.asked,
    /** Answers to the next questions to that interface, whatever they are; nothing: as usual. */
    away,
    clone: clone as Clone,
    slug,
    receiver,
    push,
    outcomes,
    webUrl,
    told,
    /** Sends a hook and waits until something came of it; says what. */
    async tell(event: string, payload: string, more: Parameters<typeof sendHook>[5] = {}): Promise<string> {
      const body = await told(payload)
      // Not by the list of them, which has pages.
      const newest = () =>
        service.world.db.selectFrom('hooks').select(['id', 'state', 'outcome']).orderBy('id', 'desc').executeTakeFirst()
      const before = (await newest())?.id
      const status = await sendHook(service, receiver, provider, event, body, more)
      if (status !== 202) return `answered ${status}`
      return service.until(async () => {
        const hook = await newest()
        return hook && hook.id !== before && hook.state !== 'pending' ? `${hook.state}: ${hook.outcome}` : undefined
      })
    },
    /** Every pipeline of the project, oldest first: `1 main trusted Begin`. */
    async pipelines(): Promise<readonly string[]> {
      const rows = await service.world.db
        .selectFrom('pipelines')
        .selectAll()
        .where('number', '>', 0)
        .orderBy('number')
        .execute()
      return rows.map(
        (row) => `${row.number} ${row.branch ?? row.tag} ${row.trust}${row.needs_approval === 1 ? ' held' : ''}`,
      )
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await clone[Symbol.asyncDispose]()
      await fake[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>
