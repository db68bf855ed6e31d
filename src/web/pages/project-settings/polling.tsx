import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { setPolling } from '#contract/rh/polling.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { pollingQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'

/** How often a repository that lives elsewhere is looked at. */
export function Polling({ slug, refused }: SectionProps) {
  const polling = useQuery(pollingQuery(slug))
  const [text, setText] = useState<string>()
  const save = useAction(
    (seconds: number) => callRh(setPolling, { params: { ...slug }, body: { every_seconds: seconds } }),
    () => setText(undefined),
  )
  if (!polling.data) return <Trouble error={polling.error} />
  const { every_seconds, next_at } = polling.data
  const shown = text ?? String(every_seconds)
  return (
    <>
      <SectionHead
        inner
        name="Looking by itself"
        about={
          next_at === null ? (
            'The repository is not looked at by itself.'
          ) : (
            <>
              The next look: <When at={next_at} />.
            </>
          )
        }
      />
      <ActionForm
        name="Looking by itself"
        button="Keep interval"
        action={save}
        done="Kept."
        refused={refused}
        onSubmit={() => save.mutate(Number(shown))}
      >
        <TextField
          label="Seconds between two looks"
          hint="0: never. A provider that tells of pushes makes it a safety net: then once in some minutes is enough."
          type="number"
          min={0}
          max={86_400}
          required
          value={shown}
          onText={setText}
        />
      </ActionForm>
    </>
  )
}
