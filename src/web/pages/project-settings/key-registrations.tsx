import { useQuery } from '@tanstack/react-query'
import { type KeyRegistration, retryKeyRegistration } from '#contract/rh/key-registrations.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { Tone } from '#web/parts/tone.tsx'
import { When } from '#web/parts/when.tsx'
import { keyRegistrationsQuery } from '#web/read/housekeeping-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'

const tones = { registered: 'good', pending: 'busy', failed: 'bad' } as const

const words = ({ state, wanted }: KeyRegistration): string => {
  if (state === 'registered') return 'Registered'
  if (state === 'failed') return wanted ? 'Not registered' : 'Not removed'
  return wanted ? 'Is being registered' : 'Is being removed'
}

/** Whether the provider of a project knows its keys, and what it says where it does not. */
export function KeyRegistrations({ slug, access, refused }: SectionProps) {
  const registrations = useQuery({ ...keyRegistrationsQuery(slug), enabled: access.may_inspect })
  const retry = useAction((fingerprint: string) => callRh(retryKeyRegistration, { params: { ...slug, fingerprint } }))
  if (access.hosted || !access.may_inspect) return null
  return (
    <>
      <SectionHead
        inner
        name="At the provider"
        about="With a token, keys are registered at the provider, and removed there when they are deleted here."
      />
      <QueryView query={registrations}>
        {({ items }) => (
          <DataTable
            caption="Keys at the provider"
            empty="The provider was not asked about any key."
            rows={items}
            keyOf={({ fingerprint }) => fingerprint}
            columns={[
              { name: 'Fingerprint', cell: ({ sha256 }) => <code>{sha256}</code> },
              { name: 'State', cell: (row) => <Tone tone={tones[row.state]}>{words(row)}</Tone> },
              { name: 'Why', cell: ({ error }) => error ?? '' },
              { name: 'When', cell: ({ updated_at }) => <When at={updated_at} /> },
              {
                name: 'Actions',
                unseen: true,
                cell: ({ fingerprint }) => (
                  <ActionButton
                    name="Try again"
                    look="quiet"
                    consequence={`Asks the provider about key ${fingerprint} at once`}
                    refused={refused}
                    busy={retry.isPending}
                    act={() => retry.mutate(fingerprint)}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
