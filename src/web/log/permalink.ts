/** A line of the log of a step, or several in a row. */
export interface LogPlace {
  readonly step: number
  readonly line: number
  /** The last of several. */
  readonly to?: number
}

/** The fragment of an address that names a line, or lines: `#s2L10`, `#s2L10-L14`. */
export const permalink = ({ step, line, to }: LogPlace): string =>
  `#s${step}L${line}${to === undefined || to === line ? '' : `-L${to}`}`

/** What the fragment of an address names, if it names something. */
export function placeIn(fragment: string): LogPlace | undefined {
  const match = /^#s(\d{1,6})L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(fragment)
  if (!match) return undefined
  const [step, one, other] = match.slice(1).map(Number)
  if (match[3] === undefined) return { step: step!, line: one! }
  return { step: step!, line: Math.min(one!, other!), to: Math.max(one!, other!) }
}

/** Whether a line of a step is among those named. */
export const isNamed = (place: LogPlace | undefined, step: number, line: number): boolean =>
  place !== undefined && place.step === step && line >= place.line && line <= (place.to ?? place.line)

/** What is named when somebody who has chosen a place points at another line as the end of it. */
export const reach = (place: LogPlace | undefined, step: number, line: number): LogPlace =>
  place?.step === step ? { step, line: Math.min(place.line, line), to: Math.max(place.line, line) } : { step, line }
