import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { openFarm, slug } from './farm.ts'
import { type Service, openService } from './service.ts'

/** Listens for changes; `heard` resolves with the topics up to one that fits. */
function listen(service: Service, token: string, query = '') {
  const topics: string[] = []
  const opened = Promise.withResolvers<void>()
  const watchers = new Set<() => void>()
  const asked = request(`${service.base}/api/rh/v1/live${query}`, { headers: { 'service-token': token } }, (answer) => {
    let unread = ''
    answer.setEncoding('utf8')
    answer.on('error', () => {})
    answer.on('data', (text: string) => {
      const events = (unread + text).split('\n\n')
      unread = events.pop() ?? ''
      for (const event of events) {
        if (event.startsWith(': watching')) opened.resolve()
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) topics.push((JSON.parse(data) as { readonly topic: string }).topic)
      }
      for (const look of watchers) look()
    })
  })
  asked.on('error', opened.reject)
  asked.end()
  return {
    topics,
    opened: opened.promise,
    heard: (fits: (topic: string) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = () => {
          if (topics.some(fits)) resolve()
        }
        watchers.add(look)
        look()
      }),
    [Symbol.dispose]: () => void asked.destroy(),
  }
}

test('changes are told to those who may see them, and to nobody else', async () => {
  await using service = await openService()
  const { ada, stranger, project } = await openFarm(service)
  using hers = listen(service, ada.token)
  using theirs = listen(service, stranger.token)
  await Promise.all([hers.opened, theirs.opened])
  const trigger = (params: typeof slug | { provider: string; org: string; repo: string }, token: string) =>
    service.call(triggerPipeline, { params, body: {} }, token)
  const made = await trigger(slug, ada.token)
  await hers.heard((topic) => topic === `pipeline:${made.id}`)
  await hers.heard((topic) => topic === `project:${project.id}`)
  const own = await trigger({ ...slug, org: 'other', repo: 'thing' }, stranger.token)
  await theirs.heard((topic) => topic === `pipeline:${own.id}`)
  assert.deepEqual(
    theirs.topics.filter((topic) => hers.topics.includes(topic)),
    [],
  )
  assert.ok(!theirs.topics.some((topic) => topic.includes(made.id) || topic.includes(project.id)))
  assert.ok(!hers.topics.some((topic) => topic.includes(own.id)))
})

test('the service says that it lives, that it can work, and how it is doing, without a token and without a secret', async () => {
  await using service = await openService()
  await openFarm(service)
  assert.equal((await service.ask({ method: 'GET', path: '/healthz' })).text, '{"status":"ok"}')
  assert.equal((await service.ask({ method: 'GET', path: '/readyz' })).text, '{"status":"ready"}')
  const { status, text } = await service.ask({ method: 'GET', path: '/metrics' })
  assert.equal(status, 200)
  assert.match(text, /^# HELP \w+ .+\n# TYPE \w+ (gauge|counter)\n\w+ [\d.e+-]+$/m)
  assert.doesNotMatch(text, /acme|ada|rh[a-z]_/)
})
