/** A place in a configuration file, counted from 1. */
export interface ConfigPlace {
  readonly line: number
  readonly column?: number
}

/** The place that an error of a pipeline speaks of: `line 3, column 5`, or `3:5` at its beginning. */
export function placeOf(message: string): ConfigPlace | undefined {
  const match = /\bline (\d+)(?:,? (?:column|col) (\d+))?/i.exec(message) ?? /(?:^|\.ya?ml:)(\d+):(\d+)/.exec(message)
  if (!match) return undefined
  return { line: Number(match[1]), ...(match[2] !== undefined && { column: Number(match[2]) }) }
}
