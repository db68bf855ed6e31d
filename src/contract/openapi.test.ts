import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { Check } from 'typebox/value'
import { problemsIn } from '#test/openapi-rules.ts'
import { catalog } from './catalog.ts'
import { openapi } from './openapi.ts'

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly Json[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Json }
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>
}

const document = openapi(catalog, { version: '1.2.3', url: 'https://ci.example.com' })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...(described as unknown as Described) })),
)
const find = (id: string) => operations.find(({ operationId }) => operationId === id)

function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [String(member)] : refsIn(member)))
}

function resolve(ref: string): unknown {
  const steps = ref.replace(/^#\//, '').split('/')
  return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document)
}

/**
 * The schema of OpenAPI 3.1 as the initiative publishes it (edition 2021-04-15, Apache-2.0). Two things in it no validator takes as they are
 * meant: addresses of references may be relative, and what a schema may be is said by the dialect, which the rules below check.
 */
function officialSchema(): TSchema {
  const text = readFileSync(join(import.meta.dirname, '../../test/openapi-3.1.schema.json'), 'utf8')
  const compact = JSON.stringify(JSON.parse(text))
  const relative = compact.replaceAll('"format":"uri"', '"format":"uri-reference"')
  return JSON.parse(relative.replaceAll('{"$dynamicRef":"#meta"}', '{"type":["object","boolean"]}')) as TSchema
}

describe('the OpenAPI document', () => {
  test('is valid by the official schema of OpenAPI 3.1', () => {
    const schema = officialSchema()
    const wire: unknown = JSON.parse(JSON.stringify(document))
    const [isValid, errors] = Errors(schema, wire)
    assert.deepEqual([isValid, errors], [true, []])
    const [isStillValid] = Errors(schema, { ...(wire as Json), paths: { '/x': { get: { responses: { 200: {} } } } } })
    assert.equal(isStillValid, false)
  })

  test('describes every operation of the catalog once', () => {
    assert.equal(operations.length, catalog.length)
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, catalog.length)
  })

  test('declares each parameter of a path, and no other, as required', () => {
    for (const { path, parameters } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      assert.deepEqual(declared.map(({ name }) => name).toSorted(), named.toSorted(), path)
      assert.ok(
        declared.every(({ required }) => required),
        path,
      )
      assert.doesNotMatch(path, /[:*]/)
    }
  })

  test('names only things that it holds', () => {
    const refs = new Set(refsIn(document))
    assert.ok(refs.size > 0)
    for (const ref of refs) assert.ok(resolve(ref), ref)
    const tags = new Set(document.tags.map(({ name }) => name))
    const schemes = new Set(Object.keys(document.components['securitySchemes'] ?? {}))
    for (const { tags: used, security, operationId } of operations) {
      assert.ok(
        used.every((tag) => tags.has(tag)),
        operationId,
      )
      assert.ok(
        security.flatMap(Object.keys).every((scheme) => schemes.has(scheme)),
        operationId,
      )
    }
  })

  test('is plain data, the same after a trip through JSON', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
  })

  test('tells the code of success, and that anything else is a message', () => {
    const { responses } = find('v2TriggerPipeline')!
    assert.deepEqual(Object.keys(responses), ['201', 'default'])
    assert.deepEqual(responses['default'], { $ref: '#/components/responses/Error' })
    assert.deepEqual(document.components['schemas']?.['Error'], {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string' } },
    })
  })

  test('asks for no token where none is needed, and lets a public project answer anybody', () => {
    assert.deepEqual(find('v2ContinuePipeline')?.security, [])
    assert.deepEqual(find('v1GetBuild')?.security.at(-1), {})
    assert.deepEqual(find('v2GetMe')?.security.flatMap(Object.keys), ['header', 'basic', 'bearer', 'query'])
    assert.deepEqual(find('rhClaimJobs')?.security, [{ bearer: [] }])
  })

  test('requires a body only where something in it is required', () => {
    assert.equal(find('v2CreateWebhook')?.requestBody?.required, true)
    assert.equal(find('v2RerunWorkflow')?.requestBody?.required, false)
    assert.equal(find('v2CancelWorkflow')?.requestBody, undefined)
  })

  test('shows an example of every body and every answer, and each is as its schema says', () => {
    for (const { operationId, requestBody, responses } of operations) {
      for (const { content } of [requestBody, ...Object.values(responses)].filter((part) => part !== undefined)) {
        for (const [media, shown] of Object.entries(content ?? {})) {
          if (media !== 'application/json') continue
          const { schema, example } = shown as { readonly schema: TSchema; readonly example: unknown }
          assert.ok(Check(schema, example), `${operationId}: ${JSON.stringify(example)}`)
        }
      }
    }
  })

  test('has the paths of generation 2 where its clients look for them, below the server it names', () => {
    assert.deepEqual(document.servers, [{ url: 'https://ci.example.com/api/v2' }])
    assert.ok(document.paths['/context'])
    const old = document.paths['/api/v1.1/me']?.['get']
    assert.deepEqual(old?.['servers'], [{ url: 'https://ci.example.com' }])
  })

  test('names the rest of a path, and tells bytes and events from JSON', () => {
    assert.ok(document.paths['/api/v1.1/project/{vcs}/{org}/{repo}/tree/{branch}'])
    assert.deepEqual(Object.keys(find('rhReadLog')?.responses['200']?.content ?? {}), ['application/octet-stream'])
    assert.deepEqual(Object.keys(find('rhFollowLog')?.responses['200']?.content ?? {}), ['text/event-stream'])
    assert.deepEqual(Object.keys(find('rhAppendLog')?.requestBody?.content ?? {}), ['application/octet-stream'])
  })
})

describe('the rules of OpenAPI', () => {
  test('are kept by the whole document', () => {
    assert.deepEqual(problemsIn(JSON.parse(JSON.stringify(document))), [])
  })

  test('are known to those who check them', () => {
    const broken = {
      openapi: '3.0.0',
      info: { title: 'x' },
      extra: 1,
      tags: [{ name: 'a' }, { name: 'a' }],
      paths: {
        '/a/{id}': {
          get: {
            operationId: 'x',
            tags: ['b'],
            parameters: [{ name: 'q', in: 'nowhere', schema: { type: 'text', minLength: -1, required: ['a', 'a'] } }],
            responses: { ok: { content: { json: {} } }, 200: { $ref: '#/components/none' } },
            security: [{ unknown: [] }],
          },
        },
        '/a/{other}': { fetch: { operationId: 'x', parameters: [], responses: {} } },
      },
    }
    assert.deepEqual(problemsIn(broken), [
      'document: has extra, which is unknown there',
      'openapi: is no version 3.1',
      'info: lacks version',
      'tags: name something twice',
      'get /a/{id}: tag b is not declared',
      'get /a/{id}.parameters[0]: is nowhere',
      'get /a/{id}.parameters[0]: type text is unknown',
      'get /a/{id}.parameters[0]: minLength is no count',
      'get /a/{id}.parameters[0]: required names something twice',
      'get /a/{id}: path id is not declared',
      'get /a/{id}: #/components/none leads nowhere',
      'get /a/{id}: ok is no code',
      'get /a/{id}.ok: lacks description',
      'get /a/{id}.ok: json is no media type',
      'get /a/{id}: security scheme unknown is not declared',
      '/a/{other}: cannot be told from /a/{id}',
      '/a/{other}.fetch: is no method',
      'fetch /a/{other}: operationId x is there twice',
      'fetch /a/{other}: path other is not declared',
      'fetch /a/{other}: has no responses',
    ])
  })
})
