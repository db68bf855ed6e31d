import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { deleteSchedule, type Schedule } from '#contract/v2/schedule.ts'
import { projectSettingsPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { AddButton } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { When } from '#web/parts/when.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { nextRunsQuery, schedulesQuery } from '#web/read/settings-queries.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { ScheduleEditor } from './schedule-editor.tsx'
import { timetableText } from './schedule-form.ts'
import type { SectionProps } from './section-props.ts'

/** The schedules of a project; which of them is being edited is in the address. */
export function ScheduleSection({ slug, refused }: SectionProps) {
  const schedules = useInfiniteQuery(schedulesQuery(slug))
  const [search] = useSearchParams()
  const adding = useOpened('schedule')
  const here = projectSettingsPage(slug, 'schedules')
  const edited = schedules.data && itemsOf(schedules.data).find(({ id }) => id === search.get('edit'))
  return (
    <>
      <SectionHead name="Schedules" about="Pipelines that run by themselves, at times in UTC." refused={refused}>
        <AddButton name="New schedule" opened={adding} refused={refused} />
      </SectionHead>
      {refused === undefined && (adding.open || edited) && (
        <ScheduleEditor key={edited?.id ?? ''} slug={slug} schedule={edited} />
      )}
      <PagedTable
        list={schedules}
        more="More schedules"
        caption="Schedules"
        empty="No schedule yet. Make one for what should run every night or every week."
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'When', cell: ({ timetable }) => timetableText(timetable) },
          {
            name: 'On',
            cell: ({ parameters }) => <span className="ref">{String(parameters['branch'] ?? parameters['tag'])}</span>,
          },
          { name: 'Next runs', cell: (schedule) => <NextRuns schedule={schedule} /> },
          {
            name: 'Actions',
            unseen: true,
            cell: ({ id, name }) => (
              <>
                {refused === undefined && (
                  <Link className="button quiet" to={`${here}?edit=${id}`} aria-label={`Edit ${name}`}>
                    Edit
                  </Link>
                )}
                <ConfirmedAction
                  what={name}
                  question={`Delete ${name}? It does not run again.`}
                  act={() => callV2(deleteSchedule, { params: { schedule_id: id } })}
                  refused={refused}
                />
              </>
            ),
          },
        ]}
      />
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
