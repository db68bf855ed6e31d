/**
 * JSON for people, as scripts that search it line by line know it: a member a line, two spaces a level, a space before the colon,
 * lists in one line with what they hold.
 */
export function formatted(value: unknown, margin = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => formatted(item === undefined ? null : item, margin))
    return items.length === 0 ? '[ ]' : `[ ${items.join(', ')} ]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${margin}  `
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `\n${inner}${JSON.stringify(name)} : ${formatted(member, inner)}`)
  return members.length === 0 ? '{ }' : `{${members.join(',')}\n${margin}}`
}
