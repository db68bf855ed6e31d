import { blame, type Trail } from '#config/trail.ts'
import type { Place } from '#config/yaml/node.ts'
import type { Part } from './template.ts'

/**
 * Keeps or drops the parts between `<<# x >>` (or `<<^ x >>`, its opposite) and `<</ x >>`.
 * An old way to write conditions inside of a text, documented nowhere and used to this day.
 */
export function withoutSections(
  parts: readonly Part[],
  isTrue: (tag: string) => boolean,
  place: Place,
  trail: Trail,
): readonly Part[] {
  if (!parts.some(isMark)) return parts
  const kept: Part[] = []
  const open: { readonly name: string; readonly shown: boolean }[] = []
  for (const part of parts) {
    const shown = open.at(-1)?.shown ?? true
    if (!isMark(part)) {
      if (shown) kept.push(part)
      continue
    }
    const name = part.tag.slice(1).trim()
    if (part.tag.startsWith('/')) {
      if (open.pop()?.name !== name)
        blame(trail, place, `Cannot close section << ${part.tag} >>: it is not the open one`)
    } else open.push({ name, shown: shown && isTrue(name) === part.tag.startsWith('#') })
  }
  for (const { name } of open) blame(trail, place, `Unclosed section in string: << # ${name} >>`)
  return kept
}

const isMark = (part: Part): part is { readonly tag: string } => 'tag' in part && /^[#^/]/.test(part.tag)
