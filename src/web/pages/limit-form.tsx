import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getLimits, type Limits, setLimits } from '#contract/rh/limits.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { useAction } from '#web/read/use-action.ts'

interface Props {
  readonly subject: 'project' | 'organization'
  readonly id: string
  readonly refused: string | undefined
}

/** How much a project or an organization may run at once, and for how long. */
export function LimitForm({ subject, id, refused }: Props) {
  const limits = useQuery({
    queryKey: ['limits', id],
    queryFn: ({ signal }) => callRh(getLimits, { params: { subject, id } }, { signal }),
  })
  const others = subject === 'project' ? 'A limit of the organization holds as well.' : 'All its projects together.'
  return (
    <>
      <SectionHead
        name="Limits"
        about={`How much this ${subject} may run. What is too much waits, and says so. ${others}`}
        refused={refused}
      />
      <QueryView query={limits}>
        {(found) => <Form subject={subject} id={id} limits={found} refused={refused} />}
      </QueryView>
    </>
  )
}

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit))
const limitIn = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function Form({ subject, id, limits, refused }: Props & { readonly limits: Limits }) {
  // What somebody typed; until then what is in force, whoever changes it.
  const [typed, setTyped] = useState<{ readonly running?: string; readonly minutes?: string }>({})
  const running = typed.running ?? textOf(limits.max_running)
  const minutes = typed.minutes ?? textOf(limits.max_minutes)
  const save = useAction(() =>
    callRh(setLimits, {
      params: { subject, id },
      body: { max_running: limitIn(running), max_minutes: limitIn(minutes) },
    }),
  )
  return (
    <ActionForm
      name="Limits"
      button="Keep limits"
      action={save}
      done="Kept."
      refused={refused}
      onSubmit={() => save.mutate(undefined)}
    >
      <div className="form-row">
        <TextField
          label="Jobs at once"
          hint="Each node of a parallel job counts. Empty: no limit. 0: nothing starts."
          type="number"
          min={0}
          max={100_000}
          placeholder="no limit"
          value={running}
          onText={(text) => setTyped((before) => ({ ...before, running: text }))}
        />
        <TextField
          label="Minutes for a job"
          hint="Longer ones are ended. Empty: as long as the installation allows."
          type="number"
          min={1}
          max={10_080}
          placeholder="no limit"
          value={minutes}
          onText={(text) => setTyped((before) => ({ ...before, minutes: text }))}
        />
      </div>
    </ActionForm>
  )
}
