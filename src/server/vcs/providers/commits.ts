import { checkName, isRevision } from '#core/refs.ts'
import { Refusal } from '#kit/refusal.ts'
import { type Commit, parseMessage, type Signature } from '#server/vcs/commit.ts'
import { ask, ProviderFailure } from './call.ts'
import type { Speaker } from './contents.ts'
import { repositoryPath } from './repository.ts'
import { at, textAt } from './told.ts'
import type { ProviderKind } from './terms.ts'

const paths: Readonly<Record<ProviderKind, (revision: string) => string>> = {
  github: (revision) => `/git/commits/${revision}`,
  gitea: (revision) => `/git/commits/${revision}?stat=false&verification=false&files=false`,
  bitbucket: (revision) => `/commit/${revision}`,
  gitlab: (revision) => `/repository/commits/${revision}?stats=false`,
}

/** ISO 8601 in whole seconds with an offset, as git has it. */
function dateOf(text: string): string {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text)
  return found ? `${found[1]}${found[2] === 'Z' ? '+00:00' : found[2]}` : '1970-01-01T00:00:00+00:00'
}

const signatureAt = (value: unknown): Signature => ({
  name: textAt(value, 'name').trim(),
  email: textAt(value, 'email'),
  date: dateOf(textAt(value, 'date')),
})

/** Bitbucket gives the line of git, and one date for both. */
function signatureOfLine(line: string, date: string): Signature {
  const [, name = line, email = ''] = /^(.*?)\s*<([^>]*)>/.exec(line) ?? []
  return { name: name.trim(), email, date: dateOf(date) }
}

const revisionsIn = (list: unknown, key?: string): readonly string[] =>
  (Array.isArray(list) ? (list as readonly unknown[]) : [])
    .map((one) => (key === undefined ? one : at(one, key)))
    .filter((one): one is string => typeof one === 'string' && isRevision(one))

/** What a provider says of a commit, in the words of git. */
export function toCommit(kind: ProviderKind, revision: string, told: unknown): Commit {
  switch (kind) {
    case 'github':
    case 'gitea': {
      // Gitea has it where GitHub has it in another of its answers.
      const git = at(told, 'commit') ?? told
      const people = { author: signatureAt(at(git, 'author')), committer: signatureAt(at(git, 'committer')) }
      const parents = revisionsIn(at(told, 'parents'), 'sha')
      return { revision, parents, ...people, ...parseMessage(textAt(git, 'message')) }
    }
    case 'bitbucket': {
      const author = signatureOfLine(textAt(told, 'author', 'raw'), textAt(told, 'date'))
      const parents = revisionsIn(at(told, 'parents'), 'hash')
      return { revision, parents, author, committer: author, ...parseMessage(textAt(told, 'message')) }
    }
    case 'gitlab': {
      const person = (who: string, when: string) =>
        signatureAt({ name: at(told, `${who}_name`), email: at(told, `${who}_email`), date: at(told, when) })
      return {
        revision,
        parents: revisionsIn(at(told, 'parent_ids')),
        author: person('author', 'authored_date'),
        committer: person('committer', 'committed_date'),
        ...parseMessage(textAt(told, 'message')),
      }
    }
    default:
      return kind satisfies never
  }
}

/** Asks a provider what a commit says of itself. */
export async function commitAt(speaker: Speaker, revision: string, signal?: AbortSignal): Promise<Commit> {
  const { terms, repository, token } = speaker
  const path = repositoryPath(terms, repository) + paths[terms.kind](checkName('revision', revision))
  try {
    const { value } = await ask(terms, { method: 'GET', path, token }, signal)
    const name = at(value, 'sha') ?? at(value, 'id') ?? at(value, 'hash')
    // Whoever asks for the object of a tag gets something else.
    if (name !== revision) throw new Refusal('not-found', 'Revision not found.')
    return toCommit(terms.kind, revision, value)
  } catch (error) {
    const isMissing = error instanceof ProviderFailure && (error.status === 404 || error.status === 422)
    if (isMissing) throw new Refusal('not-found', 'Revision not found.')
    throw error
  }
}
