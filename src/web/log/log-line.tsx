import { memo } from 'react'
import { Link } from 'react-router'
import type { Span } from './ansi.ts'
import type { Line } from './lines.ts'
import type { Colour, Look } from './look.ts'

/** Of every line, in pixels; the style sheet says the same. */
export const rowHeight = 20

interface Props {
  /** Nothing while it is being loaded. */
  readonly line: Line | undefined
  readonly number: number
  readonly to: string
  readonly marked: boolean
  /** What is looked for, in small letters; nothing where it is empty. */
  readonly wanted: string
}

/** One line of a log with its number, which links to it. */
export const LogLine = memo(function LogLine({ line, number, to, marked, wanted }: Props) {
  const found = wanted !== '' && line !== undefined && textOf(line).includes(wanted)
  return (
    <div className={`log-line${marked ? ' marked' : ''}${found ? ' found-line' : ''}`}>
      <Link to={to} replace preventScrollReset aria-label={`Link to line ${number}`} data-number={number} />
      <span className="log-text">
        {line?.map((span, at) => (
          <SpanView key={at} span={span} />
        ))}
      </span>
    </div>
  )
})

const textOf = (line: Line): string =>
  line
    .map(({ text }) => text)
    .join('')
    .toLowerCase()

/** Characters that look alike. */
export function SpanView({ span: { text, look } }: { readonly span: Span }) {
  const names = namesOf(look)
  const front = look.inverse ? look.back : look.front
  const back = look.inverse ? look.front : look.back
  return (
    <span className={names === '' ? undefined : names} style={{ color: exact(front), backgroundColor: exact(back) }}>
      {text}
    </span>
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
