const plainKeyword = /^[A-Za-z*!_?$%&=<>][A-Za-z0-9*!_?$%&=<>.+#-]*$/

/** A JSON value as EDN: keys are keywords where they can be, null is nil. */
export function toEdn(value: unknown): string {
  if (value === null || value === undefined) return 'nil'
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'nil'
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(toEdn).join(' ')}]`
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${entries.map(([name, member]) => `${key(name)} ${toEdn(member)}`).join(', ')}}`
}

const key = (name: string): string => (plainKeyword.test(name) ? `:${name}` : text(name))

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function text(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must be escaped
  return `"${value.replace(/["\\\u0000-\u001f\u007f]/g, (found) => escapes[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}
