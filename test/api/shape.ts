/** What a value must look like: a word for each kind it may be of, a list of such, or the members it must have. */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape }

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && time.test(value),
  uuid: (value) => typeof value === 'string' && uuid.test(value),
  array: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Where a value is not as it must be, each place in a sentence; more members than named are welcome. */
export function deviations(value: unknown, shape: Shape, at = 'the answer'): readonly string[] {
  if (typeof shape === 'string') {
    const fits = shape.split('|').some((kind) => kinds[kind]?.(value) ?? JSON.stringify(kind) === JSON.stringify(value))
    return fits ? [] : [`${at} must be ${shape}: it is ${JSON.stringify(value)?.slice(0, 100)}`]
  }
  if (isList(shape))
    return Array.isArray(value)
      ? value.flatMap((item, i) => deviations(item, shape[0], `${at}[${i}]`))
      : [`${at} must be a list`]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} must be a map`]
  return Object.entries(shape).flatMap(([member, inner]) =>
    member in value
      ? deviations((value as Record<string, unknown>)[member], inner, `${at}.${member}`)
      : [`${at}.${member} is missing`],
  )
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)
