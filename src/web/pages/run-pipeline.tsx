import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { pipelinePage, type Slug } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { Trouble } from '#web/parts/trouble.tsx'
import { projectQuery } from '#web/read/queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useForbidden } from './use-forbidden.ts'

/** Runs a pipeline on a branch: the default one unless another is given. */
export function RunPipeline({ slug }: { readonly slug: Slug }) {
  const id = useId()
  const navigate = useNavigate()
  const { data: project } = useQuery(projectQuery(slug))
  const forbidden = useForbidden(slug)
  const [typed, setTyped] = useState<string>()
  const branch = typed ?? project?.vcs_info.default_branch ?? ''
  const run = useAction(
    () => callV2(triggerPipeline, { params: { ...slug }, body: branch === '' ? {} : { branch } }),
    ({ number }) => void navigate(pipelinePage(slug, number)),
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (forbidden === undefined) run.mutate(undefined)
  }
  return (
    <form className="run" onSubmit={submit}>
      <label htmlFor={id} className="unseen">
        Branch
      </label>
      <input
        id={id}
        value={branch}
        placeholder="branch"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button
        type="submit"
        className="strong"
        disabled={run.isPending}
        aria-disabled={forbidden !== undefined}
        aria-describedby={forbidden === undefined ? undefined : `${id}-why`}
        title={forbidden}
      >
        Run pipeline
      </button>
      {forbidden !== undefined && (
        <span id={`${id}-why`} className="unseen">
          {forbidden}
        </span>
      )}
      <Trouble error={run.error} />
    </form>
  )
}
