import { memo, type MouseEvent } from 'react'
import { drawLine, type Span } from './ansi.ts'
import { clockTime } from './line-times.ts'
import type { Line } from './lines.ts'
import { type Colour, type Look, plain } from './look.ts'
import { split } from './split.ts'

/** Of every line, in pixels; the style sheet says the same. */
export const rowHeight = 20

interface Props {
  /** Nothing while it is being loaded. */
  readonly line: Line | undefined
  /** Nothing while it is not known. */
  readonly number: number | undefined
  /** The fragment that names it. */
  readonly to: string
  readonly marked: boolean
  /** What is looked for, in small letters; nothing where it is empty. */
  readonly wanted: string
  readonly withTime: boolean
  /** Told of a click on the number: one that leads elsewhere in this page is not the browser's to follow. */
  readonly point: (event: MouseEvent, number: number) => void
}

/** One line of a log with its number, which links to it, and if wanted with the time at which it was written. */
export const LogLine = memo(function LogLine({ line, number, to, marked, wanted, withTime, point }: Props) {
  const spans = line === undefined ? [] : drawLine(line.text, line.look).spans
  const found = wanted !== '' && textOf(spans).includes(wanted)
  return (
    <div className={`log-line${marked ? ' marked' : ''}`}>
      {/* Not a link of the router: hundreds a second are made and changed while a log is followed. */}
      {number === undefined ? (
        <span className="log-number" />
      ) : (
        <a
          className="log-number"
          href={to}
          aria-label={`Link to line ${number}`}
          data-number={number}
          onClick={(event) => point(event, number)}
        />
      )}
      {withTime && <LineTime at={line?.at} />}
      <span className="log-text">
        {(found ? split(spans, wanted) : spans).map((span, at) => (
          <SpanView key={at} span={span} />
        ))}
      </span>
    </div>
  )
})

function LineTime({ at }: { readonly at: number | undefined }) {
  if (at === undefined) return <span className="log-time" />
  return (
    <time className="log-time" dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {clockTime(at)}
    </time>
  )
}

const textOf = (spans: readonly Span[]): string =>
  spans
    .map(({ text }) => text)
    .join('')
    .toLowerCase()

/** Characters that look alike. */
export function SpanView({ span: { text, look, found } }: { readonly span: Span & { readonly found?: true } }) {
  if (look === plain && !found) return text
  const names = namesOf(look)
  const front = look.inverse ? look.back : look.front
  const back = look.inverse ? look.front : look.back
  const Element = found ? 'mark' : 'span'
  return (
    <Element
      className={names === '' || found ? undefined : names}
      style={found ? undefined : { color: exact(front), backgroundColor: exact(back) }}
    >
      {text}
    </Element>
  )
}

const exact = (colour: Colour | undefined): string | undefined => (colour?.kind === 'exact' ? colour.css : undefined)

function namesOf({ front, back, inverse, ...flags }: Look): string {
  const [text, ground] = inverse ? [back, front] : [front, back]
  const names = Object.keys(flags).map((flag) => `ansi-${flag}`)
  if (inverse && !text && !ground) names.push('ansi-inverse')
  if (text?.kind === 'named') names.push(`front-${text.index}`)
  if (ground?.kind === 'named') names.push(`back-${ground.index}`)
  return names.join(' ')
}
