import type { Provider } from '#core/names.ts'
import { payload } from './signed.ts'

/** One ref that was moved: made where `from` is missing, deleted where `to` is. */
export interface Move {
  readonly ref: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const none = '0'.repeat(40)

type Json = Record<string, unknown>

/** A documented payload with other values in some places. */
const like = (name: string, change: Json): string =>
  JSON.stringify({ ...(JSON.parse(payload(name)) as Json), ...change })

function bitbucketChange({ ref, from, to }: Move): Json {
  const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? []
  const state = (hash: string | undefined) =>
    hash === undefined ? null : { type: kind === 'heads' ? 'branch' : 'tag', name, target: { type: 'commit', hash } }
  return { old: state(from), new: state(to), created: from === undefined, closed: to === undefined, forced: false }
}

/** The hooks of one push in the manner of a provider: Bitbucket tells of all its refs at once, the others of each by itself. */
export function hooksOf(
  provider: Provider,
  moves: readonly Move[],
): readonly (readonly [event: string, body: string])[] {
  if (provider === 'provider-b')
    return [['repo:push', like('bitbucket-push', { push: { changes: moves.map(bitbucketChange) } })]]
  return moves.map(({ ref, from = none, to = none }) => {
    const told = { ref, before: from, after: to }
    if (provider === 'provider-a')
      return ['push', like('github-push', { ...told, created: from === none, deleted: to === none })]
    const event = ref.startsWith('refs/tags/') ? 'Tag Push Hook' : 'Push Hook'
    const changed = { ...told, checkout_sha: to === none ? null : to }
    return [event, like('gitlab-push', { ...changed, object_kind: event === 'Push Hook' ? 'push' : 'tag_push' })]
  })
}
