/** A map in what a provider told, of which nothing is believed before it was looked at. */
export type Told = Readonly<Record<string, unknown>>

/** What lies at a path of keys; nothing where there is no such path. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((map, key) => (map as Told | null | undefined)?.[key], value)

/** The text at a path, without null characters, which not every database takes; empty where there is none. */
export const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found.replaceAll('\0', '') : ''
}
