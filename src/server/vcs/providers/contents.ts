import type { RepositoryName } from '#core/provider-event.ts'
import { checkName } from '#core/refs.ts'
import { Refusal } from '#kit/refusal.ts'
import { askText, ProviderFailure, TooLarge } from './call.ts'
import { repositoryPath } from './repository.ts'
import type { ProviderTerms } from './terms.ts'

/** Whose words a provider believes when it is asked about a repository; without a token, nobody's. */
export interface Speaker {
  readonly terms: ProviderTerms
  readonly repository: RepositoryName
  readonly token?: string | undefined
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

function placeOf({ terms, repository }: Speaker, revision: string, path: string): string {
  const base = repositoryPath(terms, repository)
  switch (terms.kind) {
    case 'github':
      return `${base}/contents/${encoded(path)}?ref=${revision}`
    case 'gitea':
      return `${base}/raw/${encoded(path)}?ref=${revision}`
    case 'bitbucket':
      return `${base}/src/${revision}/${encoded(path)}`
    case 'gitlab':
      return `${base}/repository/files/${encodeURIComponent(path)}/raw?ref=${revision}`
    default:
      return terms.kind satisfies never
  }
}

/** Asks GitHub for the file itself: without this it wraps it into JSON, and only up to a megabyte. */
const rawOfGithub = 'application/vnd.github.raw+json'

/** The text of a file of a commit; nothing where there is none of that name, or something else than a file. */
export async function fileAt(
  speaker: Speaker,
  at: { readonly revision: string; readonly path: string },
  mostBytes: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const [revision, path] = [checkName('revision', at.revision), checkName('file', at.path)]
  const accept = speaker.terms.kind === 'github' ? rawOfGithub : '*/*'
  const question = { method: 'GET', path: placeOf(speaker, revision, path), token: speaker.token } as const
  try {
    const { text, type } = await askText(speaker.terms, { ...question, accept, mostBytes }, signal)
    // A folder is answered with a list of what lies in it.
    const listsFolder = speaker.terms.kind === 'github' || speaker.terms.kind === 'bitbucket'
    return listsFolder && type.startsWith('application/json') && !path.endsWith('.json') ? undefined : text
  } catch (error) {
    if (error instanceof ProviderFailure && error.status === 404) return undefined
    if (error instanceof TooLarge)
      throw new Refusal('too-large', `Cannot use ${path} as it may have ${mostBytes} bytes: it has more`)
    throw error
  }
}
