import { isOwnHost, providerCode } from '#core/names.ts'
import { isUuid } from '#kit/uuid.ts'

/*
 * Clients write the same thing in many ways: slugs wholly or half encoded, a project's id in the place of its slug,
 * slashes at the end or twice, percent signs that should have been encoded, the older prefix. All of them are brought
 * into the form that is declared, before the router looks.
 */

const slugAfter =
  /^\/api\/(?:v2\/(?:project|output\/raw|insights\/pages|insights\/time-series|insights)|v1\.1\/project)\//

const idAfter =
  /^\/api\/(?:v2\/(?:project|output\/raw|insights(?:\/pages|\/time-series)?)|v1\.1\/project)\/[0-9a-f]{8}-/i

/** An organization that is named by the two words of its slug. */
const organizationSlug = /^(\/api\/v2\/organization\/)([^/%]+)\/([^/]+)(?=\/|$)/

/** The declared form of a request's address. */
export function rewrite(url: string): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? '' : url.slice(mark)
  return rewritePath(path) + query
}

/** A percent sign that begins nothing: a careful client would have encoded it. */
const strayPercent = /%(?![0-9a-f]{2})/gi

/** A base address that ends with a slash and a path that begins with one make two; no name of ours holds two. */
const generation = /^\/+api\/+v(?:1|1\.1|2)\//

/** Fingerprints in Base64 hold slashes, even several in a row, and few clients encode them. */
const fingerprint = /(?<=\/checkout-key\/+)SHA256:.+$/

function tidy(url: string): string {
  const given = url.includes('SHA256:')
    ? url.replace(fingerprint, (text) => text.replace(/\/+$/, '').replaceAll('/', '%2F'))
    : url
  const path = given.length > 1 && given.endsWith('/') ? given.replace(/\/+$/, '') || '/' : given
  const single = path.includes('//') && generation.test(path) ? path.replaceAll(/\/{2,}/g, '/') : path
  return single.replaceAll(strayPercent, '%25')
}

function rewritePath(given: string): string {
  let path = tidy(given)
  if (path.startsWith('/api/v1/')) path = oldGeneration(path)
  else if (path.startsWith('/api/v1.1/project/')) path = withProvider(path)
  if (path === '/user/hosting-key' || path === '/user/heroku-key' || path === '/api/v1.1/user/heroku-key')
    return '/api/v1.1/user/hosting-key'
  // Links to artifacts look as those of other services do.
  if (path.startsWith('/output/job/')) return `/api/rh/v1/job/${path.slice('/output/job/'.length)}`
  // The service of runners has versions of its own, and a host of its own that may as well be this one.
  // Clients of an older day ask one address by GraphQL, and some of what pages of the hosted service ask, under a prefix of their own.
  if (path === '/graphql-unstable') return '/api/v2/graphql-unstable'
  if (path.startsWith('/api/private/')) path = `/api/v2/${path.slice('/api/private/'.length)}`
  if (path.startsWith('/api/v3/runner')) return `/api/v2${path.slice('/api/v3'.length)}`
  if (path.startsWith('/api/v2/organization/')) return withOrganization(path)
  // Nearly all of them are as declared already.
  if (!path.includes('%') && !idAfter.test(path)) return path
  const found = slugAfter.exec(path)
  if (!found) return path
  const prefix = found[0]
  return prefix + withSlug(path.slice(prefix.length).split('/'))
}

/** The slug of an organization in one piece; its id is one already. */
const withOrganization = (path: string): string =>
  path.replace(organizationSlug, (all, prefix: string, first: string, second: string) =>
    isUuid(first) ? all : `${prefix}${first}%2F${second}`,
  )

/** `/api/v1/project/org/repo/...` is 1.1 without the provider. */
const oldGeneration = (path: string): string =>
  path
    .replace(/^\/api\/v1\/(project|organization|user\/repos)(?=\/|$)/, '/api/v1.1/$1/gh')
    .replace(/^\/api\/v1\//, '/api/v1.1/')

/** What follows two words that are no provider and organization, but an organization and its project. */
const bareSlug =
  /^(\/api\/v1\.1\/project\/)([^/%]+)(?:\/|%2f)[^/%]+(?=$|\/(?:\d+|latest|tree|build|build-cache|checkout-key|enable|envvar|follow|unfollow|settings|ssh-key|token)(?:\/|$))/i

/** Clients that were written for generation 1 leave the provider out of 1.1 as well, and it was never refused: they mean the first one. */
const withProvider = (path: string): string =>
  path.replace(bareSlug, (slug, prefix: string, first: string) =>
    providerCode(first) !== undefined || isOwnHost(first) || isUuid(first)
      ? slug
      : `${prefix}gh/${slug.slice(prefix.length)}`,
  )

function withSlug(segments: readonly string[]): string {
  const [first = '', ...rest] = segments
  if (isUuid(first)) return ['-', '-', first, ...rest].join('/')
  const slug: string[] = []
  const left = [...segments]
  while (slug.length < 3 && left.length > 0) slug.push(...(left.shift() ?? '').split(/%2f/i))
  return [...slug, ...left].join('/')
}
