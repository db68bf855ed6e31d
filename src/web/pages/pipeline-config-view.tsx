import { useQuery } from '@tanstack/react-query'
import type { Pipeline, PipelineConfig } from '#contract/v2/pipeline.ts'
import { placeOf } from '#web/config-place.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { configQuery } from '#web/read/queries.ts'

/** The configuration of a pipeline, as written and as compiled; what is wrong with a line stands under it. */
export function PipelineConfigView({ pipeline }: { readonly pipeline: Pipeline }) {
  const settled = pipeline.state === 'created' || pipeline.state === 'errored'
  const config = useQuery({ ...configQuery(pipeline.id), enabled: settled })
  if (!settled) return <p className="empty">It is being compiled</p>
  return (
    <>
      {pipeline.trigger_parameters && (
        <CopiedText name="Parameters" text={JSON.stringify(pipeline.trigger_parameters, undefined, 2)} />
      )}
      <QueryView query={config}>
        {(texts) =>
          partsOf(texts).map(({ name, id, text }) => (
            <SourceText
              key={id}
              name={name}
              id={id}
              text={text}
              problems={id === 'source' ? problemsOf(pipeline) : new Map()}
            />
          ))
        }
      </QueryView>
    </>
  )
}

const partsOf = (texts: PipelineConfig) =>
  [
    { name: 'Source', id: 'source', text: texts.source },
    { name: 'Compiled', id: 'compiled', text: texts.compiled },
    { name: 'Setup source', id: 'setup', text: texts['setup-config'] ?? '' },
    { name: 'Setup compiled', id: 'setup-compiled', text: texts['compiled-setup-config'] ?? '' },
  ].filter(({ text }) => text !== '')

/** What is wrong, by the line that it speaks of. */
function problemsOf({ errors }: Pipeline): ReadonlyMap<number, readonly string[]> {
  const placed = errors.flatMap(({ message }) => {
    const line = placeOf(message)?.line
    return line === undefined ? [] : [{ line, message }]
  })
  const lines = Map.groupBy(placed, ({ line }) => line)
  return new Map([...lines].map(([line, found]) => [line, found.map(({ message }) => message)]))
}

interface SourceProps {
  readonly name: string
  readonly id: string
  readonly text: string
  readonly problems: ReadonlyMap<number, readonly string[]>
}

function SourceText({ name, id, text, problems }: SourceProps) {
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <details className="source panel" open={id === 'source'}>
      <summary>
        {name} <span className="soft small">{lines.length} lines</span>
      </summary>
      <ol tabIndex={0} aria-label={name}>
        {lines.map((line, at) => {
          const wrong = problems.get(at + 1)
          return (
            <li key={at} id={`${id}-${at + 1}`} className={wrong ? 'marked' : undefined}>
              <code>{line}</code>
              {wrong?.map((message, place) => (
                <span key={place} className="problem">
                  {message}
                </span>
              ))}
            </li>
          )
        })}
      </ol>
    </details>
  )
}
