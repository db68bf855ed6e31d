import type { Pipeline } from '#contract/v2/pipeline.ts'
import { placeOf } from '#web/config-place.ts'

interface Props {
  readonly errors: Pipeline['errors']
  /** Whether the source is on this page, so that places in it can be shown. */
  readonly linked?: boolean
}

/** Why a pipeline has no workflows. */
export function PipelineErrors({ errors, linked = false }: Props) {
  if (errors.length === 0) return null
  return (
    <ul className="errors" aria-label="Errors">
      {errors.map(({ type, message }, at) => {
        const place = linked ? placeOf(message) : undefined
        return (
          <li key={at}>
            <span className="kind">{type}</span> <span className="message">{message}</span>
            {place && (
              <>
                {' '}
                <a href={`#source-${place.line}`}>show line {place.line}</a>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}
