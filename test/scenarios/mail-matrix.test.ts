import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wish } from '#core/notification.ts'
import { dispatchEvents } from '#server/app/dispatch.ts'
import { messagesOf } from '#server/app/notify.ts'
import { cancelWorkflow } from '#server/app/workflows.ts'
import { putPreferences } from '#server/store/notifications.ts'
import { follow } from '#server/store/projects.ts'
import { deliveryLoop } from '#server/work/deliver.ts'
import { runLoop } from '#server/work/loop.ts'
import { join, newPerson } from '#test/api/people.ts'
import { claim, end, givenAgent, givenProject, givenWorkflowOf } from '#test/given.ts'
import { databases, type Database, smallWorld } from '#test/world.ts'
import { openSmtp } from './smtp.ts'

/** A small world with a mail server, and people who follow acme/web, each with a wish in their name: `ada-smart`. */
async function openMatrix(database: Database) {
  const stack = new AsyncDisposableStack()
  const smtp = stack.use(await openSmtp())
  const it = stack.use(await smallWorld(database, { mail: { url: smtp.url, from: 'ci@example.com' } }))
  const { world, app } = it
  const project = await givenProject(it)
  const agent = await givenAgent(it)
  const people = new Map<string, string>()
  for (const login of ['ada-smart', 'bob-smart', 'cy-all', 'dee-none', 'left-all', 'visitor-all']) {
    const person = await newPerson(world, login)
    people.set(login, person.id)
    await world.db
      .updateTable('users')
      .set({ email: `${login}@example.com` })
      .where('id', '=', person.id)
      .execute()
    if (!/^(left|visitor)/.test(login)) await join(world, person, 'acme', 'member')
    await world.db.transaction().execute(async (tx) => {
      const at = world.now()
      const email = login.replace(/^.*-/, '') as Wish
      await putPreferences(tx, { user_id: person.id, email, browser: 'none', updated_at: at })
      if (!login.startsWith('visitor')) await follow(tx, person.id, project.id, at)
    })
  }
  const stop = new AbortController()
  const loop = stack.use(deliveryLoop(app))
  const running = runLoop(world.bell, world.log, loop, stop.signal)
  stack.defer(() => running)
  stack.defer(() => stop.abort())

  return {
    smtp,
    /** A workflow of somebody ends on a branch; says who got mail, and of what it speaks: `cy-all failed`. */
    async ends(who: string, branch: string, how: 'success' | 'failed' | 'canceled'): Promise<readonly string[]> {
      const before = smtp.mails.length
      const { id, pipeline } = await givenWorkflowOf(it, project, 'build')
      const actor_id = people.get(who) ?? null
      await world.db.updateTable('pipelines').set({ branch, actor_id }).where('id', '=', pipeline).execute()
      if (how === 'canceled') await cancelWorkflow(world, undefined, id)
      else for (const held of await claim(it, agent)) await end(it, held, how)
      while ((await dispatchEvents(world, app.findRevision, { messages: (event) => messagesOf(app, event) })) > 0);
      world.bell.ring('deliveries')
      const deadline = Date.now() + 180_000
      while ((await world.db.selectFrom('lanes').select('id').execute()).length > 0) {
        assert.ok(Date.now() < deadline, 'Waited in vain for mail to be sent')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return smtp.mails
        .slice(before)
        .map(({ to, text }) => `${to.join().split('@')[0]} ${/^Subject: .* (\w+)$/m.exec(text)?.[1]}`)
        .toSorted()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Who, on which branch, how it ended, and who is told what. In this order: what was before is what stands above. */
const rounds = [
  ['ada-smart', 'main', 'success', ['cy-all success']],
  ['ada-smart', 'main', 'failed', ['ada-smart failed', 'cy-all failed']],
  // Another branch has another past.
  ['ada-smart', 'side', 'success', ['cy-all success']],
  ['ada-smart', 'main', 'failed', ['ada-smart failed', 'cy-all failed']],
  // Whoever broke it hears that it was mended.
  ['bob-smart', 'main', 'success', ['ada-smart fixed', 'bob-smart fixed', 'cy-all fixed']],
  ['bob-smart', 'main', 'success', ['cy-all success']],
  ['dee-none', 'main', 'failed', ['cy-all failed']],
  ['nobody', 'main', 'success', ['cy-all fixed']],
  ['nobody', 'main', 'failed', ['cy-all failed']],
  ['cy-all', 'main', 'success', ['cy-all fixed']],
  ['ada-smart', 'main', 'failed', ['ada-smart failed', 'cy-all failed']],
  // What was canceled is nobody's news, and hides nothing.
  ['ada-smart', 'main', 'canceled', ['cy-all canceled']],
  ['ada-smart', 'main', 'success', ['ada-smart fixed', 'cy-all fixed']],
  // Somebody from outside, who may not see it (any more), is told nothing, whatever they wish and do.
  ['visitor-all', 'main', 'failed', ['cy-all failed']],
  ['left-all', 'side', 'failed', ['cy-all failed']],
] as const

for (const database of databases) {
  describe(`mail on ${database}`, () => {
    test('comes to whom it concerns: by who made it, branch, what was before, and what each wishes', async () => {
      await using matrix = await openMatrix(database)
      for (const [who, branch, how, told] of rounds)
        assert.deepEqual(await matrix.ends(who, branch, how), told, `${who} ${branch} ${how}`)
      const [mail] = matrix.smtp.mails
      assert.match(mail?.text ?? '', /^List-Unsubscribe: <http:\/\/[^>]+\/user\/notifications>$/m)
      assert.match(mail?.text ?? '', /^Auto-Submitted: auto-generated$/m)
      assert.match(mail?.text ?? '', /^--(?: |=20)\n.*What is sent to you: http/m)
    })
  })
}
