import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type QuarantinedTest, quarantineTest, releaseTest } from '#contract/rh/quarantine.ts'
import { callRh } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { quarantineQuery } from '#web/read/housekeeping-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import type { SectionProps } from './section-props.ts'

type Named = Pick<QuarantinedTest, 'name' | 'classname' | 'file'>

/** What is not known of a test is left out: an empty word would be another test. */
const named = ({ name, classname, file }: Named) => ({
  name,
  ...(classname !== '' && { classname }),
  ...(file !== '' && { file }),
})

const empty = { name: '', classname: '', file: '', reason: '' }

/** The tests whose failures a team knows about. */
export function QuarantineSection({ access, refused }: SectionProps) {
  const params = { id: access.project_id }
  const tests = useInfiniteQuery(quarantineQuery(access.project_id))
  const [draft, setDraft] = useState(empty)
  const adding = useOpened('test')
  const change = (to: Partial<typeof empty>) => setDraft((before) => ({ ...before, ...to }))
  const add = useAction(
    () =>
      callRh(quarantineTest, {
        params,
        body: { ...named(draft), ...(draft.reason !== '' && { reason: draft.reason }) },
      }),
    () => {
      setDraft(empty)
      adding.close()
    },
  )
  return (
    <>
      <SectionHead
        name="Quarantined tests"
        about={
          <>
            Tests whose failures are known. <code>tests run --skip-quarantined</code> in a step leaves them out until
            they are released.
          </>
        }
        refused={refused}
      >
        <AddButton name="Quarantine a test" opened={adding} refused={refused} />
      </SectionHead>
      <AddForm
        name="Quarantine a test"
        button="Quarantine"
        opened={adding}
        action={add}
        refused={refused}
        onSubmit={() => add.mutate(undefined)}
      >
        <TextField label="Name" required maxLength={4_000} value={draft.name} onText={(name) => change({ name })} />
        <div className="form-row">
          <TextField label="Class" value={draft.classname} onText={(classname) => change({ classname })} />
          <TextField label="File" value={draft.file} onText={(file) => change({ file })} />
        </div>
        <TextField
          label="Why"
          maxLength={1_000}
          hint="For whoever finds it here in a month."
          value={draft.reason}
          onText={(reason) => change({ reason })}
        />
      </AddForm>
      <PagedTable
        list={tests}
        more="More tests"
        caption="Quarantined tests"
        empty="No test is in quarantine. A flaky test can be put here from the insights, or by its name."
        keyOf={({ classname, name, file }) => [classname, name, file].join('\n')}
        columns={[
          { name: 'Test', cell: ({ name }) => name },
          { name: 'Where', cell: ({ classname, file }) => [classname, file].filter(Boolean).join(' · ') || '–' },
          { name: 'Why', cell: ({ reason }) => reason || '–' },
          { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
          {
            name: 'Actions',
            unseen: true,
            cell: (test) => (
              <QuickAction
                name="Release"
                what={test.name}
                act={() => callRh(releaseTest, { params, query: named(test) })}
                refused={refused}
              />
            ),
          },
        ]}
      />
    </>
  )
}
