import { drawLine } from './ansi.ts'
import { SpanView } from './log-line.tsx'
import { plain } from './look.ts'

/** Some lines of a log with their colours, as text that flows. */
export function LogText({ lines }: { readonly lines: readonly string[] }) {
  let look = plain
  return lines.map((line, at) => {
    const drawn = drawLine(line, look)
    look = drawn.after
    return (
      <span key={at}>
        {drawn.spans.map((span, place) => (
          <SpanView key={place} span={span} />
        ))}
        {'\n'}
      </span>
    )
  })
}
