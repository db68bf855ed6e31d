import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createSchedule, days, months, type Schedule, updateSchedule } from '#contract/v2/schedule.ts'
import { projectSettingsPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { CheckGroup } from '#web/parts/check-group.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { AreaField, TextField } from '#web/parts/text-field.tsx'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'
import { draftOf, newDraft, readDraft, type ScheduleDraft } from './schedule-form.ts'

type Props = Pick<SectionProps, 'slug'> & { readonly schedule: Schedule | undefined }

/** Makes a schedule, or changes one. */
export function ScheduleEditor({ slug, schedule }: Props) {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => (schedule ? draftOf(schedule) : newDraft))
  const change = (to: Partial<ScheduleDraft>) => setDraft((before) => ({ ...before, ...to }))
  const here = projectSettingsPage(slug, 'schedules')
  const save = useAction(
    async () => {
      const body = readDraft(draft)
      if (typeof body === 'string') throw new Error(body)
      return schedule
        ? callV2(updateSchedule, { params: { schedule_id: schedule.id }, body })
        : callV2(createSchedule, { params: { ...slug }, body })
    },
    () => {
      setDraft(newDraft)
      void navigate(here, { preventScrollReset: true })
    },
  )
  const name = schedule ? `Edit ${schedule.name}` : 'New schedule'
  return (
    <ActionForm
      titled
      name={name}
      button={schedule ? 'Keep changes' : 'Make schedule'}
      action={save}
      cancel={here}
      onSubmit={() => save.mutate(undefined)}
    >
      <div className="form-row">
        <TextField label="Name" required value={draft.name} onText={(name) => change({ name })} />
        <TextField label="Description" value={draft.description} onText={(description) => change({ description })} />
      </div>
      <When draft={draft} change={change} />
      <div className="form-row">
        <ChoiceField
          label="Runs on"
          value={draft.target}
          choices={{ branch: 'A branch', tag: 'A tag' }}
          onChoice={(target) => change({ target })}
        />
        <TextField
          label={draft.target === 'tag' ? 'Tag' : 'Branch'}
          required
          value={draft.ref}
          onText={(ref) => change({ ref })}
        />
      </div>
      <AreaField
        label="Parameters"
        hint="One on each line, like deep=true. Only what the configuration declares."
        rows={3}
        value={draft.parameters}
        onText={(parameters) => change({ parameters })}
      />
      <ChoiceField
        label="In whose name"
        value={draft.attribution}
        choices={{ current: 'Mine', system: 'The service’s' }}
        hint="Contexts look at who runs a pipeline."
        onChoice={(attribution) => change({ attribution })}
      />
    </ActionForm>
  )
}

interface WhenProps {
  readonly draft: ScheduleDraft
  readonly change: (to: Partial<ScheduleDraft>) => void
}

function When({ draft, change }: WhenProps) {
  return (
    <>
      <div className="form-row">
        <TextField
          label="Hours of the day, in UTC"
          required
          hint="0 to 23, like 2 or 9-17."
          value={draft.hours}
          onText={(hours) => change({ hours })}
        />
        <TextField
          label="Times in each hour"
          type="number"
          min={1}
          max={60}
          required
          value={draft.perHour}
          onText={(perHour) => change({ perHour })}
        />
      </div>
      <ChoiceField
        label="Days"
        value={draft.kind}
        choices={{ week: 'Of the week', month: 'Of the month' }}
        onChoice={(kind) => change({ kind })}
      />
      {draft.kind === 'week' ? (
        <CheckGroup
          label="Days of the week"
          choices={days}
          chosen={draft.daysOfWeek}
          onChange={(daysOfWeek) => change({ daysOfWeek })}
        />
      ) : (
        <TextField
          label="Days of the month"
          required
          hint="1 to 31, like 1, 15."
          value={draft.daysOfMonth}
          onText={(daysOfMonth) => change({ daysOfMonth })}
        />
      )}
      <details open={draft.months.length > 0}>
        <summary>Only in some months</summary>
        <CheckGroup
          label="Months (none chosen: all)"
          choices={months}
          chosen={draft.months}
          onChange={(chosen) => change({ months: chosen })}
        />
      </details>
    </>
  )
}
