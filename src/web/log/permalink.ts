/** A line of the log of a step. */
export interface LogPlace {
  readonly step: number
  readonly line: number
}

/** The fragment of an address that names a line: `#s2L10`. */
export const permalink = ({ step, line }: LogPlace): string => `#s${step}L${line}`

/** The line that the fragment of an address names, if it names one. */
export function placeIn(fragment: string): LogPlace | undefined {
  const match = /^#s(\d{1,6})L(\d{1,9})$/.exec(fragment)
  return match ? { step: Number(match[1]), line: Number(match[2]) } : undefined
}
