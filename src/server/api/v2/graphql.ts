import { Type } from 'typebox'
import { createContext } from '#contract/v2/context.ts'
import { runGraphql } from '#contract/v2/graphql.ts'
import { VariableName, VariableValue } from '#contract/variable.ts'
import { Refusal } from '#kit/refusal.ts'
import { organizationSlug, providerOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { noteDeed } from '#server/app/audit.ts'
import type { Caller } from '#server/app/callers.ts'
import { compileConfig } from '#server/app/compile-config.ts'
import * as contexts from '#server/app/contexts.ts'
import { type OrganizationName, organizationFor, type OrganizationRow } from '#server/app/organizations.ts'
import { asUser } from '#server/app/permissions.ts'
import { type Known, type KnownObject, pick, unknown } from '#server/api/graphql/pick.ts'
import { type Field, readQuery } from '#server/api/graphql/read-query.ts'
import type { Serving } from '#server/api/serve.ts'
import { checker } from '#server/api/validate.ts'

type Args = Readonly<Record<string, unknown>>
type Root = (app: App, caller: Caller, args: Args) => Promise<Known>

/*
 * Clients of an older day ask for contexts, organizations and the check of a configuration by GraphQL. These queries are answered over the
 * same use cases as their neighbours of generation 2; there is no schema beyond them.
 */

const text = (args: Args, name: string): string => {
  const value = args[name]
  if (typeof value === 'string' && !value.includes('\0')) return value
  throw new Refusal('invalid', `Cannot answer the query as ${name} must be a text: it is not`)
}

const inputOf = ({ input }: Args): Args => {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Args
  throw new Refusal('invalid', 'Cannot answer the query as input must be an object: it is not')
}

const variablesOf = (app: App, caller: Caller, context: string) => async (): Promise<Known> =>
  (await contexts.listContextVariables(app.world, caller, context)).map((row) => ({
    variable: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    // Values of contexts are never shown, not even their ends.
    truncatedValue: '',
  }))

const contextOf = (app: App, caller: Caller, row: contexts.ContextRow): KnownObject => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  groups: { edges: [] },
  resources: variablesOf(app, caller, row.id),
})

/** An organization has at most five hundred contexts, twenty on a page. */
const mostPages = 50

const organizationOf = (app: App, caller: Caller, row: OrganizationRow): KnownObject => ({
  id: row.id,
  name: row.name,
  slug: organizationSlug(app.world, row),
  vcsType: (row.named_as ?? providerOf(app.world, row).long).toUpperCase(),
  contexts: async () => {
    const edges: { readonly node: KnownObject }[] = []
    let token: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const { items, next } = await contexts.listContexts(app, caller, { id: row.id }, token)
      edges.push(...items.map((context) => ({ node: contextOf(app, caller, context) })))
      if (next === null) break
      token = next
    }
    return { edges }
  },
})

/** What cannot be found is null, as such clients expect. */
async function orNull<T extends Known>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return null
    throw error
  }
}

const queries: Readonly<Record<string, Root>> = {
  me: async (_app, caller) => {
    const { user } = asUser(caller)
    return { id: user.id, name: user.name, login: user.login, username: user.login }
  },
  organization: (app, caller, args) => {
    const name: OrganizationName =
      typeof args['id'] === 'string'
        ? { id: args['id'] }
        : { slug: `${text(args, 'vcsType').toLowerCase()}/${text(args, 'name')}` }
    const found = organizationFor(app.world, caller, 'viewer', name)
    return orNull(found.then((row) => organizationOf(app, caller, row)))
  },
  context: (app, caller, args) => {
    const found = contexts.contextFor(app.world, caller, 'viewer', text(args, 'id'))
    return orNull(found.then((row) => contextOf(app, caller, row)))
  },
  buildConfig: async ({ world }, _caller, args) => {
    const source = text(args, 'configYaml')
    const { valid, output, errors } = await compileConfig(world, source, {}, {})
    return { valid, sourceYaml: source, outputYaml: output, errors: errors.map((message) => ({ message })) }
  },
}

const checkContext = checker('body', createContext.schema.body)
const checkVariable = checker('body', Type.Object({ variable: VariableName, value: VariableValue }))

const mutations: Readonly<Record<string, Root>> = {
  createContext: async (app, caller, args) => {
    const input = inputOf(args)
    const owner = { id: text(input, 'ownerId') }
    const name = text(input, 'contextName')
    checkContext({ name, owner })
    const row = await contexts.createContext(app.world, caller, owner, name)
    return { error: null, context: contextOf(app, caller, row), clientMutationId: null }
  },
  deleteContext: async (app, caller, args) => {
    await contexts.removeContext(app.world, caller, text(inputOf(args), 'contextId'))
    return { clientMutationId: null, error: null }
  },
  storeEnvironmentVariable: async (app, caller, args) => {
    const input = inputOf(args)
    const context = await contexts.contextFor(app.world, caller, 'member', text(input, 'contextId'))
    const [variable, value] = [text(input, 'variable'), text(input, 'value')]
    checkVariable({ variable, value })
    await contexts.setContextVariable(app.world, caller, context.id, variable, value)
    return { error: null, context: contextOf(app, caller, context) }
  },
  removeEnvironmentVariable: async (app, caller, args) => {
    const input = inputOf(args)
    const context = await contexts.contextFor(app.world, caller, 'member', text(input, 'contextId'))
    await orNull(
      contexts.removeContextVariable(app.world, caller, context.id, text(input, 'variable')).then(() => true),
    )
    return { error: null, context: contextOf(app, caller, context) }
  },
}

const describedAs = (name: string, roots: Readonly<Record<string, Root>>): KnownObject => ({
  kind: 'OBJECT',
  name,
  description: null,
  fields: Object.keys(roots).map((field) => ({ name: field, description: null })),
})

const schema: KnownObject = {
  queryType: { name: 'QueryRoot' },
  mutationType: { name: 'MutationRoot' },
  types: [describedAs('QueryRoot', queries), describedAs('MutationRoot', mutations)],
}

/** The few GraphQL queries that clients of contexts, organizations and configurations send. */
export function serveGraphql({ serve }: Serving, app: App): void {
  serve(runGraphql, async ({ caller, body, request }) => {
    try {
      const { type, fields } = readQuery(body.query, body.variables ?? {})
      const roots = type === 'query' ? queries : mutations
      const answers: [string, unknown][] = []
      for (const field of fields) {
        const traced = { ...asUser(caller), trail: {} as { organization?: string } }
        const isSchema = field.name === '__schema' && type === 'query'
        const known = isSchema ? schema : await rootOf(roots, field)(app, traced, field.args)
        const { organization } = traced.trail
        if (type === 'mutation')
          await noteDeed(app, traced, {
            action: `v2 ${field.name}`,
            target: targetOf(field),
            address: request.ip,
            organization,
          })
        answers.push([field.alias, await pick(known, field.fields, field.name)])
      }
      return { data: Object.fromEntries(answers) }
    } catch (error) {
      if (error instanceof Refusal) return { data: null, errors: [{ message: error.message }] }
      throw error
    }
  })
}

function rootOf(roots: Readonly<Record<string, Root>>, { name }: Field): Root {
  const root = Object.hasOwn(roots, name) ? roots[name] : undefined
  if (!root) throw unknown(name, roots === queries ? 'QueryRoot' : 'MutationRoot')
  return root
}

/** Names and ids; never a value. */
const targetOf = ({ args }: Field): string => {
  const input = inputOf(args)
  const said = ['ownerId', 'contextName', 'contextId', 'variable'].map((name) => input[name])
  return said.filter((value) => typeof value === 'string').join(' ')
}
