import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { projectSettingsPage } from '#web/address.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { cacheUseQuery, type Insight } from '#web/read/insight-queries.ts'
import { projectQuery } from '#web/read/queries.ts'
import { Chart, type Series } from './chart.tsx'
import { percentText, spanStarts } from './spans.ts'

/** How often jobs found the caches they asked for. */
export function CacheUse({ about }: { readonly about: Insight }) {
  const { data: project } = useQuery(projectQuery(about.slug))
  const use = useQuery({ ...cacheUseQuery(project?.id ?? '', about.window), enabled: project !== undefined })
  return (
    <>
      <h2 className="unseen">Caches</h2>
      <p className="soft">
        A job that finds its cache saves the time to make it. Which caches there are is in the{' '}
        <Link to={projectSettingsPage(about.slug, 'caches')}>settings of the project</Link>.
      </p>
      <QueryView query={use}>
        {({ hits, misses, hit_rate, days }) =>
          hits + misses === 0 ? (
            <p className="empty">No job asked for a cache in this window.</p>
          ) : (
            <>
              <p>
                <strong>{percentText(hit_rate)}</strong> found: {hits} of {hits + misses} times.
              </p>
              <DayChart days={days} window={about.window} />
            </>
          )
        }
      </QueryView>
    </>
  )
}

interface Day {
  readonly timestamp: string
  readonly hits: number
  readonly misses: number
}

const countText = (count: number | undefined): string => String(count ?? 0)

/** Caches are counted by days, also within a single one. */
function DayChart({ days, window }: { readonly days: readonly Day[]; readonly window: Insight['window'] }) {
  const [now] = useState(Date.now)
  const { times, series } = useMemo(() => {
    const starts = spanStarts(window === 'last-24-hours' ? 'last-7-days' : window, now)
    const byDay = new Map(days.map((one) => [Date.parse(one.timestamp), one]))
    const counts = starts.map((at) => byDay.get(at) ?? { hits: 0, misses: 0 })
    const found: Series[] = [
      { name: 'Asked', colour: '--busy', bars: true, values: counts.map(({ hits, misses }) => hits + misses) },
      { name: 'Found', colour: '--good', bars: true, values: counts.map(({ hits }) => hits) },
    ]
    return { times: starts, series: found }
  }, [days, window, now])
  return (
    <div className="charts">
      <Chart title="Caches" times={times} series={series} textOf={countText} hourly={false} />
    </div>
  )
}
