declare const brand: unique symbol

/** A string that can only be used where its kind is expected: `Id<'job'>` is not `Id<'workflow'>`. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind }

/** An ISO 8601 instant in UTC with milliseconds: sorts as text, in either database. */
export type Instant = string & { readonly [brand]: 'instant' }

export const instant = (date: Date): Instant => date.toISOString() as Instant

/** The instant so many milliseconds after (or, negative, before) another. */
export const later = (from: Instant, ms: number): Instant => instant(new Date(Date.parse(from) + ms))

/** Milliseconds from one instant to another. */
export const between = (from: Instant, to: Instant): number => Date.parse(to) - Date.parse(from)

/**
 * When a text of RFC 3339 is, in milliseconds since 1970. A leap second (`23:59:60`), which our clocks and `Date` do not have, is the second
 * that comes after it, as for clocks that count like ours.
 */
export function timeIn(text: string): number {
  const leaping = text.replace(/^(.{16}):60/, '$1:59')
  return Date.parse(leaping) + (leaping === text ? 0 : 1000)
}

/** Ends a switch over a closed union: a new member becomes a compile error here. */
export function assertNever(value: never): never {
  throw new TypeError(`Cannot handle value ${JSON.stringify(value)}`)
}
