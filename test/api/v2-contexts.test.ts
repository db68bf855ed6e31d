import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as restrictions from '#contract/v2/context-restriction.ts'
import * as contract from '#contract/v2/context.ts'
import { databases } from '#test/world.ts'
import { valueOf } from './ask.ts'
import { openFarm } from './farm.ts'
import { openService } from './service.ts'

for (const database of databases)
  describe(`contexts of generation 2 on ${database}`, () => {
    test('are made by id or slug of their owner, found by both, and told without their values', async () => {
      await using service = await openService({ database })
      const { project, ada } = await openFarm(service)
      const id = project.organization_id
      const call = (name: string, owner: object) =>
        service.call(contract.createContext, { body: { name, owner } }, ada.token)
      const first = await call('secrets', { id, type: 'organization' })
      await call('others', { slug: 'gh/acme' })
      await call('mine', { id, type: 'account' })
      for (const query of [
        { 'owner-id': id },
        { 'owner-slug': 'gh/acme', 'page-token': '' },
        { 'owner-id': id, 'owner-type': 'account' as const },
      ]) {
        const { items, next_page_token } = await service.call(contract.listContexts, { query }, ada.token)
        assert.deepEqual([items.map(({ name }) => name), next_page_token], [['secrets', 'others', 'mine'], null])
      }
      assert.deepEqual(await service.call(contract.getContext, { params: { context_id: first.id } }, ada.token), first)
      const params = { context_id: first.id, env_var_name: 'TOKEN' }
      const set = await service.call(contract.setContextVariable, { params, body: { value: 'hunter2' } }, ada.token)
      const again = await service.call(contract.setContextVariable, { params, body: { value: 'hunter3' } }, ada.token)
      assert.deepEqual({ ...again, updated_at: '' }, { ...set, updated_at: '' })
      const listed = await service.ask({
        method: 'GET',
        path: `/api/v2/context/${first.id}/environment-variable?page-token=`,
        token: ada.token,
      })
      assert.deepEqual(valueOf(listed), { items: [again], next_page_token: null })
      assert.doesNotMatch(listed.text, /hunter/)
      const stored = await service.world.db.selectFrom('context_variables').select('value').execute()
      assert.doesNotMatch(JSON.stringify(stored), /hunter/)
      assert.deepEqual(await service.call(contract.deleteContextVariable, { params }, ada.token), {
        message: 'Environment variable deleted.',
      })
      assert.deepEqual(await service.call(contract.deleteContext, { params: { context_id: first.id } }, ada.token), {
        message: 'Context deleted.',
      })
      const gone = await service.ask({ method: 'GET', path: `/api/v2/context/${first.id}`, token: ada.token })
      assert.deepEqual([gone.status, gone.text], [404, '{"message":"Context not found."}'])
    })

    test('come in pages that stay as they are while others are made', async () => {
      await using service = await openService({ database })
      const { project, ada } = await openFarm(service)
      const make = (name: string) =>
        service.call(contract.createContext, { body: { name, owner: { id: project.organization_id } } }, ada.token)
      for (let i = 0; i < 25; i++) await make(`context ${i}`)
      const query = { 'owner-id': project.organization_id }
      const first = await service.call(contract.listContexts, { query }, ada.token)
      assert.equal(first.items.length, 20)
      const second = await service.call(
        contract.listContexts,
        { query: { ...query, 'page-token': first.next_page_token ?? '' } },
        ada.token,
      )
      assert.deepEqual(
        [second.items.map(({ name }) => name).join(), second.next_page_token],
        ['context 20,context 21,context 22,context 23,context 24', null],
      )
    })

    test('refuse a second one of the same name, bad names, missing owners and bad variables, and change nothing', async () => {
      await using service = await openService({ database })
      const { project, ada } = await openFarm(service)
      const owner = { id: project.organization_id }
      const post = async (body: unknown) => {
        const answer = await service.ask({
          method: 'POST',
          path: '/api/v2/context',
          token: ada.token,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        return answer.status
      }
      assert.equal(await post({ name: 'one', owner }), 200)
      assert.equal(await post({ name: 'one', owner }), 409)
      for (const name of ['', ' ', ' a', 'a ', 'a\nb', 'x'.repeat(201), 7, null])
        assert.equal(await post({ name, owner }), 400)
      assert.equal(await post({ name: 'two' }), 400)
      assert.equal(await post({ name: 'two', owner: {} }), 400)
      assert.equal(await post({ name: 'two', owner: { ...owner, slug: 'gh/acme' } }), 400)
      assert.equal(await post({ name: 'two', owner: { slug: 'gh/acme', type: 'account' } }), 400)
      assert.equal(await post({ name: 'two', owner: { slug: 'gh/nobody' } }), 404)
      const { items } = await service.call(contract.listContexts, { query: { 'owner-id': owner.id } }, ada.token)
      assert.deepEqual(
        items.map(({ name }) => name),
        ['one'],
      )
      for (const name of ['1A', 'A-B', 'A B', 'A'.repeat(301)]) {
        const path = `/api/v2/context/${items[0]?.id}/environment-variable/${encodeURIComponent(name)}`
        const headers = { 'content-type': 'application/json' }
        const put = { method: 'PUT', path, token: ada.token, headers, body: '{"value":"x"}' }
        assert.equal((await service.ask(put)).status, 400, name)
      }
      assert.equal((await service.ask({ method: 'GET', path: '/api/v2/context', token: ada.token })).status, 400)
    })

    test('are restricted by owners to what is there', async () => {
      await using service = await openService({ database })
      const { project, ada, member } = await openFarm(service)
      const owner = { id: project.organization_id }
      const { id } = await service.call(contract.createContext, { body: { name: 'one', owner } }, ada.token)
      const params = { context_id: id }
      const add = (restriction_type: restrictions.ContextRestriction['restriction_type'], restriction_value: string) =>
        service.call(
          restrictions.createContextRestriction,
          { params, body: { restriction_type, restriction_value } },
          ada.token,
        )
      const made = [
        await add('project', project.id),
        await add('user', member.id),
        await add('group', project.organization_id),
        await add('expression', 'pipeline.git.branch == "main"'),
      ]
      assert.deepEqual(
        made.map(({ name, project_id }) => [name, project_id]),
        [
          ['web', project.id],
          ['max', undefined],
          ['All members', undefined],
          ['', undefined],
        ],
      )
      const listed = await service.call(restrictions.listContextRestrictions, { params, query: {} }, member.token)
      assert.deepEqual(listed, { items: made, next_page_token: null })
      const refused = async (type: string, value: unknown) => {
        const { status } = await service.ask({
          method: 'POST',
          path: `/api/v2/context/${id}/restrictions`,
          token: ada.token,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ restriction_type: type, restriction_value: value }),
        })
        return status
      }
      assert.equal(await refused('project', project.id), 409)
      assert.equal(await refused('project', service.world.newId()), 404)
      assert.equal(await refused('project', 'web'), 400)
      assert.equal(await refused('user', service.admin.id), 404)
      assert.equal(await refused('group', project.id), 404)
      assert.equal(await refused('expression', 'pipeline.number =='), 400)
      assert.equal(await refused('branch', 'main'), 400)
      const gone = { ...params, restriction_id: made[0]?.id ?? '' }
      assert.deepEqual(await service.call(restrictions.deleteContextRestriction, { params: gone }, ada.token), {
        message: 'Context restriction deleted.',
      })
    })
  })
