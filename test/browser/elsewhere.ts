import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newClone } from '#test/api/repository.ts'
import { openFake } from '#test/providers/fake-api.ts'
import { gitFolder } from '#test/providers/git-server.ts'
import { headersOf, type Target } from '#test/providers/signed.ts'
import { oneJob } from './repository.ts'

/** A provider with the repository acme/web, whose branch `main` has a configuration. */
export async function openElsewhere() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await gitFolder())
  const fake = stack.use(await openFake('github', (request, response) => folder.answer(request, response)))
  const clone = stack.use(await newClone())
  await folder.create('acme/web')

  /** Commits something and moves a ref at the provider to it; says the revision. */
  async function push(subject: string, ref: string): Promise<string> {
    const revision = await clone.commit(subject, {
      '.service/config.yml': oneJob('- run: echo built'),
      'words.txt': subject,
    })
    await clone.git('push', '--quiet', '--force', folder.pathOf('acme/web'), `HEAD:${ref}`)
    await folder.refresh('acme/web')
    return revision
  }

  await push('Begin', 'refs/heads/main')
  return {
    url: `${fake.url}/acme/web.git`,
    /** What it is asked by its interface, and what it answers. */
    fake,
    push,
    /** Tells of something as the provider does. */
    async tell({ url, secret }: Target, event: string, body: string): Promise<void> {
      const headers = headersOf('provider-a', event, randomUUID(), secret, body)
      const answer = await fetch(url, { method: 'POST', headers, body })
      assert.equal(answer.status, 202)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type Elsewhere = Awaited<ReturnType<typeof openElsewhere>>
