import { Refusal } from '#kit/refusal.ts'

/*
 * Which names may reach git, a path or a URL. They come from anybody: a name that passes here can be neither an option
 * nor a way out of a folder. The rules of refs are git's own (git-check-ref-format), and stricter at their start.
 */

const longest = 250

// oxlint-disable-next-line no-control-regex
const forbiddenInRef = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/

/** Whether a text can be the name of a branch or of a tag. */
export const isRefName = (text: string): boolean =>
  text.length > 0 &&
  text.length <= longest &&
  text.isWellFormed() &&
  !forbiddenInRef.test(text) &&
  !/^[-./]|[./]$/.test(text) &&
  text !== '@' &&
  text !== 'HEAD'

/** Whether a text is the whole id of a git object: SHA-1 or SHA-256, in lower case. */
export const isRevision = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

const plainName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/

/** Whether a text can be the name of an organization. */
export const isOrganizationName = (text: string): boolean => plainName.test(text) && !text.includes('..')

/** Whether a text can be the name of a repository: as an organization's, but not one that a clone URL would shorten. */
export const isRepositoryName = (text: string): boolean =>
  isOrganizationName(text) && !text.toLowerCase().endsWith('.git') && !text.endsWith('.')

/** Whether a text can be the path of a file in a repository: relative, and of plain words. */
export const isFilePath = (text: string): boolean =>
  text.length <= longest &&
  /^[A-Za-z0-9_.@+ -]+(?:\/[A-Za-z0-9_.@+ -]+)*$/.test(text) &&
  !text.startsWith('-') &&
  text.split('/').every((word) => word !== '.' && word !== '..')

const rules = {
  branch: isRefName,
  tag: isRefName,
  revision: isRevision,
  organization: isOrganizationName,
  repository: isRepositoryName,
  file: isFilePath,
} as const

/** Gives back a name that may be used, and refuses any other. */
export function checkName(kind: keyof typeof rules, text: string): string {
  if (rules[kind](text)) return text
  throw new Refusal('invalid', `Cannot use ${JSON.stringify(text.slice(0, longest))} as the name of a ${kind}`)
}

/** A full ref, told apart; nothing where it is neither a branch nor a tag, or not a name that may be used. */
export function parseRef(ref: string): { readonly type: 'branch' | 'tag'; readonly name: string } | undefined {
  const found = /^refs\/(heads|tags)\/(.*)$/s.exec(ref)
  const name = found?.[2] ?? ''
  if (!isRefName(name)) return undefined
  return { type: found?.[1] === 'heads' ? 'branch' : 'tag', name }
}

/** The full ref of a branch or of a tag: the other way round. */
export const formatRef = (type: 'branch' | 'tag', name: string): string =>
  `refs/${type === 'branch' ? 'heads' : 'tags'}/${checkName(type, name)}`
