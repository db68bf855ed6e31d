import { useQuery } from '@tanstack/react-query'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { placeOf } from '#web/config-place.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { configQuery } from '#web/read/queries.ts'

/** The configuration of a pipeline, as written and as compiled; lines that an error speaks of are marked. */
export function PipelineConfigView({ pipeline }: { readonly pipeline: Pipeline }) {
  const settled = pipeline.state === 'created' || pipeline.state === 'errored'
  const config = useQuery({ ...configQuery(pipeline.id), enabled: settled })
  const marked = pipeline.errors.flatMap(({ message }) => placeOf(message)?.line ?? [])
  if (!settled) return null
  return (
    <>
      <h2>Configuration</h2>
      <QueryView query={config}>
        {(texts) => (
          <>
            <SourceText name="Source" id="source" text={texts.source} marked={marked} open={marked.length > 0} />
            <SourceText name="Compiled" id="compiled" text={texts.compiled} />
            <SourceText name="Setup source" id="setup" text={texts['setup-config'] ?? ''} />
            <SourceText name="Setup compiled" id="setup-compiled" text={texts['compiled-setup-config'] ?? ''} />
          </>
        )}
      </QueryView>
    </>
  )
}

interface SourceProps {
  readonly name: string
  readonly id: string
  readonly text: string
  readonly marked?: readonly number[]
  readonly open?: boolean
}

function SourceText({ name, id, text, marked = [], open = false }: SourceProps) {
  if (text === '') return null
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <details className="source" open={open}>
      <summary>
        {name} <span className="soft">{lines.length} lines</span>
      </summary>
      <ol tabIndex={0} aria-label={name}>
        {lines.map((line, at) => (
          <li key={at} id={`${id}-${at + 1}`} className={marked.includes(at + 1) ? 'marked' : undefined}>
            <code>{line}</code>
          </li>
        ))}
      </ol>
    </details>
  )
}
