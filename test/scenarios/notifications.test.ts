import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteChat,
  getChat,
  getPreferences,
  listNotifications,
  setChat,
  setPreferences,
} from '#contract/rh/notifications.ts'
import { getMe } from '#contract/v1/user.ts'
import { getProject } from '#contract/v2/project.ts'
import { newPerson } from '#test/api/people.ts'
import { newClone } from '#test/api/repository.ts'
import { openService, type Service } from '#test/api/service.ts'
import { openReceiver } from './receiver.ts'
import { openSmtp } from './smtp.ts'

const config = (command: string) => `version: 2.1
jobs:
  build:
    machine: true
    steps: [run: ${command}]
workflows:
  main:
    jobs: [build]
`

async function personWithMail(service: Service, login: string) {
  const person = await newPerson(service.world, login)
  const email = `${login}@example.com`
  await service.world.db.updateTable('users').set({ email }).where('login', '=', login).execute()
  service.app.callers.forget()
  return person
}

const idOf = async (service: Service, token: string) =>
  (await service.call(getProject, { params: { provider: 'gh', org: 'acme', repo: 'web' } }, token)).id

test('mail comes as each wishes: of own failures and what is well again, of everything, or of nothing', async () => {
  await using smtp = await openSmtp()
  await using service = await openService({
    agentSlots: 1,
    terms: { mail: { url: smtp.url, from: 'Roundhouse <ci@example.com>' } },
  })
  const ada = await personWithMail(service, 'ada')
  await using clone = await newClone()
  const push = async (subject: string, command: string) => {
    await clone.commit(subject, { '.service/config.yml': config(command) })
    const before = (await service.world.db.selectFrom('workflows').select('id').execute()).length
    await clone.told('push', '-o', 'wait', service.remote('acme/web', ada.token), 'main')
    assert.equal((await service.world.db.selectFrom('workflows').select('id').execute()).length, before + 1)
    await service.until(async () => {
      const open = await service.world.db.selectFrom('events').select('id').where('dispatched_at', 'is', null).execute()
      const lanes = await service.world.db.selectFrom('lanes').select('id').execute()
      return open.length + lanes.length === 0 ? true : undefined
    })
  }
  const subjects = () => smtp.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])
  await push('One', 'echo fine')
  assert.deepEqual(subjects(), [])
  await push('Two', 'exit 1')
  await push('Three', 'echo well again')
  await push('Four', 'echo still well')
  const slug = 'provider-a/acme/web main'
  assert.deepEqual(subjects(), [`${slug}: main failed`, `${slug}: main fixed`])
  assert.deepEqual([smtp.mails[0]?.from, smtp.mails[0]?.to], ['ci@example.com', ['ada@example.com']])
  assert.match(smtp.mails[0]?.text ?? '', /\/pipelines\/provider-a\/acme\/web\/2\/workflows\//)
  assert.match(smtp.mails[0]?.text ?? '', /Two \(Ada\)/)

  assert.deepEqual(await service.call(getPreferences, {}, ada.token), {
    email: 'smart',
    browser: 'none',
    email_works: true,
  })
  await service.call(setPreferences, { body: { email: 'all' } }, ada.token)
  assert.equal((await service.call(getMe, {}, ada.token)).basic_email_prefs, 'all')
  await push('Five', 'echo told')
  assert.equal(subjects().at(-1), `${slug}: main success`)
  await service.call(setPreferences, { body: { email: 'none', browser: 'all' } }, ada.token)
  await push('Six', 'exit 1')
  assert.equal(smtp.mails.length, 3)
  const { items } = await service.call(listNotifications, { query: {} }, ada.token)
  assert.deepEqual(
    items.map(({ title }) => title),
    [`${slug}: main failed`],
  )
  assert.match(items[0]?.url ?? '', /\/pipelines\/provider-a\/acme\/web\/6\/workflows\//)
})

test('mail that is not taken is sent again later, with the same id', async () => {
  let refuses = true
  await using smtp = await openSmtp({ refuse: () => refuses })
  await using service = await openService({
    agentSlots: 1,
    terms: { mail: { url: smtp.url, from: 'ci@example.com' } },
  })
  const ada = await personWithMail(service, 'ada')
  await service.push('acme/web', { '.service/config.yml': config('exit 1') }, ['main'], ada.token)
  const message = (attempts: number, state: string) =>
    service.until(async () => {
      const [found] = await service.world.db.selectFrom('messages').selectAll().execute()
      return found && found.attempts >= attempts && found.state === state ? found : undefined
    })
  const first = await message(1, 'pending')
  assert.equal(smtp.mails.length, 0)
  assert.match(first.error ?? '', /451/)
  refuses = false
  service.clock.aheadMs = 31_000
  service.world.bell.ring('deliveries')
  await message(2, 'delivered')
  assert.ok(smtp.mails.length > 0)
  for (const { text } of smtp.mails) assert.match(text, new RegExp(`Message-ID: <${first.id}@example.com>`))
})

test('the chat of a project hears of it, its address is never told again, and one inside our own network is refused', async () => {
  await using chat = await openReceiver(() => 200)
  await using service = await openService({ agentSlots: 1, terms: { webhookHosts: [chat.host] } })
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', { readme: 'x' }, ['first'], ada.token, 'Begin [skip ci]')
  const params = { id: await idOf(service, ada.token) }
  assert.deepEqual(await service.call(getChat, { params }, ada.token), { chat: null })
  const set = await service.call(setChat, { params, body: { url: `${chat.url}?secret=abc` } }, ada.token)
  assert.deepEqual([set.chat.host, set.chat.wish, JSON.stringify(set).includes('abc')], [chat.host, 'smart', false])
  const [row] = await service.world.db.selectFrom('chats').selectAll().execute()
  assert.ok(!JSON.stringify(row).includes('abc'), 'the address is sealed')
  // Whoever set it sees at once that it arrives.
  const last = async () => (await service.call(getChat, { params }, ada.token)).chat?.last
  const greeted = await service.until(async () => {
    const one = await last()
    return one?.state === 'delivered' ? one : undefined
  })
  assert.deepEqual([greeted.status_code, greeted.error, greeted.next_attempt_at], [200, null, null])
  await service.push('acme/web', { '.service/config.yml': config('exit 1') }, ['main'], ada.token)
  const texts = () => chat.received.map(({ body }) => (JSON.parse(body) as { readonly text: string }).text)
  const greeting = 'This room hears of provider-a/acme/web from now on: what broke, and what is well again.'
  const text = await service.until(async () => texts().find((one) => one !== greeting))
  assert.equal(texts()[0], greeting)
  assert.match(text, /^main of pipeline 1: failed\nProject: provider-a\/acme\/web, branch main\n/)
  const refused = await service.ask({
    method: 'PUT',
    path: `/api/rh/v1/project/${params.id}/chat`,
    token: ada.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://169.254.169.254/' }),
  })
  assert.equal(refused.status, 400)
  await service.call(deleteChat, { params }, ada.token)
  assert.deepEqual(await service.call(getChat, { params }, ada.token), { chat: null })
})

test('a browser that watches is told at once, and goes on where it was', async () => {
  await using service = await openService({ agentSlots: 1 })
  const ada = await newPerson(service.world, 'ada')
  await service.call(setPreferences, { body: { browser: 'all' } }, ada.token)
  const stop = new AbortController()
  const open = async (behind?: string) => {
    const answer = await fetch(`${service.base}/api/rh/v1/me/notifications/live`, {
      headers: { 'service-token': ada.token, ...(behind !== undefined && { 'last-event-id': behind }) },
      signal: stop.signal,
    })
    return answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  }
  const reader = await open()
  assert.ok(reader)
  await service.push('acme/web', { '.service/config.yml': config('echo x') }, ['main'], ada.token)
  let seen = ''
  while (!/^data: /m.test(seen)) seen += (await reader.read()).value ?? assert.fail('It ended')
  const told = JSON.parse(/^data: (.*)$/m.exec(seen)?.[1] ?? '') as { readonly id: string; readonly title: string }
  assert.equal(told.title, 'provider-a/acme/web main: main success')
  const again = await open('00000000-0000-7000-8000-000000000000')
  let replayed = ''
  while (!/^data: /m.test(replayed)) replayed += (await again?.read())?.value ?? assert.fail('It ended')
  assert.ok(replayed.includes(told.id))
  stop.abort()
})
