import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Link } from 'react-router'
import { deleteSchedule, type Schedule } from '#contract/v2/schedule.ts'
import { projectSettingsPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { When } from '#web/parts/when.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { nextRunsQuery, schedulesQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'
import { ScheduleEditor } from './schedule-editor.tsx'
import { timetableText } from './schedule-form.ts'

/** The schedules of a project; which of them is being edited is in the address. */
export function ScheduleSection({ slug, refused }: SectionProps) {
  const schedules = useInfiniteQuery(schedulesQuery(slug))
  const [search] = useSearchParams()
  const edited = search.get('edit')
  const here = projectSettingsPage(slug, 'schedules')
  return (
    <>
      <p className="soft">Pipelines that run by themselves, at times in UTC.</p>
      <QueryView query={schedules}>
        {(data) => {
          const items = itemsOf(data)
          const one = items.find(({ id }) => id === edited)
          return (
            <>
              <DataTable
                caption="Schedules"
                empty="No schedule yet."
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { name: 'Name', cell: ({ name }) => name },
                  { name: 'When', cell: ({ timetable }) => timetableText(timetable) },
                  {
                    name: 'On',
                    cell: ({ parameters }) => (
                      <span className="ref">{String(parameters['branch'] ?? parameters['tag'])}</span>
                    ),
                  },
                  { name: 'Next runs', cell: (schedule) => <NextRuns schedule={schedule} /> },
                  {
                    name: 'Actions',
                    unseen: true,
                    cell: (schedule) => (
                      <div className="row-actions">
                        <Link
                          className="button"
                          to={`${here}?edit=${schedule.id}`}
                          aria-label={`Edit ${schedule.name}`}
                        >
                          Edit
                        </Link>
                        <DeleteSchedule schedule={schedule} refused={refused} />
                      </div>
                    ),
                  },
                ]}
              />
              <MoreButton name="More schedules" list={schedules} />
              <h3>{one ? `Edit ${one.name}` : 'New schedule'}</h3>
              <ScheduleEditor key={one?.id ?? ''} slug={slug} schedule={one} refused={refused} />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

function NextRuns({ schedule }: { readonly schedule: Schedule }) {
  const { data } = useQuery(nextRunsQuery(schedule.id, schedule['updated-at']))
  if (!data) return null
  if (data.items.length === 0) return 'Never'
  return (
    <ul className="plain">
      {data.items.map((at) => (
        <li key={at}>
          <When at={at} />
        </li>
      ))}
    </ul>
  )
}

function DeleteSchedule({ schedule, refused }: Pick<SectionProps, 'refused'> & { readonly schedule: Schedule }) {
  const remove = useAction(() => callV2(deleteSchedule, { params: { schedule_id: schedule.id } }))
  return (
    <ConfirmButton
      name="Delete"
      what={schedule.name}
      question={`Delete ${schedule.name}? It does not run again.`}
      action={{ ...remove, mutate: () => remove.mutate(undefined) }}
      refused={refused}
    />
  )
}
