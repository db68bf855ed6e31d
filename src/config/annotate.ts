import type { UsedOrb } from './notes.ts'

/** A compiled configuration that says in comments which orbs it was made with (§A14). */
export function withOrbs(text: string, orbs: readonly UsedOrb[]): string {
  return orbs.map(({ reference, resolved }) => `# Orb '${reference}' resolved to '${resolved}'\n`).join('') + text
}

// oxlint-disable-next-line no-control-regex -- no YAML may hold these, not even in a comment
const unwritable = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A compiled configuration and, in comments, what it was compiled from: compiled again, it is the same (§A14). */
export function withOriginal(text: string, source: string): string {
  // Every line break of any YAML: a comment ends there, and what follows would be read.
  const original = source.trimEnd().split(/\r\n|[\r\n\u0085\u2028\u2029]/)
  const quoted = original.map((line) => `# ${line.replace(/[\\"]/g, '\\$&').replace(unwritable, '\ufffd')}`.trimEnd())
  return `${text.trimEnd()}\n\n# Original config.yml file:\n${quoted.join('\n')}\n`
}
