import { useEffect, useRef, useSyncExternalStore } from 'react'
import type uPlot from 'uplot'
import { DataTable } from '#web/parts/data-table.tsx'
import { shownLook, watchLook } from './shown-look.ts'

/** One line or row of bars of a chart. */
export interface Series {
  readonly name: string
  /** A colour of the pages, as `--good`. */
  readonly colour: string
  readonly bars?: boolean
  readonly values: readonly (number | undefined)[]
}

interface Props {
  readonly title: string
  /** In milliseconds. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly textOf: (value: number | undefined) => string
  readonly hourly: boolean
  /** What the axis ends at, where that is known. */
  readonly most?: number
}

/** Values through time: drawn for those who see it, and as a table for everybody. */
export function Chart({ title, times, series, textOf, hourly, most }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const look = useSyncExternalStore(watchLook, shownLook)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let drawn: uPlot | undefined
    let gone = false
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) drawn?.setSize({ width: Math.floor(entry.contentRect.width), height: 200 })
    })
    void import('uplot').then(({ default: Plot }) => {
      if (gone) return
      const data = [times.map((at) => at / 1000), ...series.map(({ values }) => values.map((value) => value ?? null))]
      drawn = new Plot(optionsOf(Plot, element, { series, textOf, most, hourly }), data as uPlot.AlignedData, element)
      watcher.observe(element)
    })
    return () => {
      gone = true
      watcher.disconnect()
      drawn?.destroy()
    }
  }, [times, series, textOf, most, hourly, look])
  const rows = times.map((at, i) => ({ at, values: series.map(({ values }) => values[i]) }))
  return (
    <figure className="chart panel">
      <figcaption>{title}</figcaption>
      <ul className="legend" aria-hidden="true">
        {series.map(({ name, colour }) => (
          <li key={name} className={`legend${colour}`}>
            {name}
          </li>
        ))}
      </ul>
      <div ref={place} className="chart-place" aria-hidden="true" />
      <details>
        <summary>{title} as a table</summary>
        <DataTable
          caption={title}
          empty="Nothing ran."
          rows={rows}
          keyOf={({ at }) => String(at)}
          columns={[
            { name: hourly ? 'Hour' : 'Day', cell: ({ at }) => dateText(at, hourly) },
            ...series.map(({ name }, i) => ({
              name,
              number: true,
              cell: ({ values }: (typeof rows)[number]) => textOf(values[i]),
            })),
          ]}
        />
      </details>
    </figure>
  )
}

const dateText = (at: number, hourly: boolean): string =>
  new Date(at).toLocaleString(
    undefined,
    hourly ? { weekday: 'short', hour: '2-digit', minute: '2-digit' } : { dateStyle: 'medium', timeZone: 'UTC' },
  )

type Drawn = Pick<Props, 'series' | 'textOf' | 'hourly'> & { readonly most: number | undefined }

function optionsOf(Plot: typeof uPlot, element: HTMLElement, { series, textOf, most, hourly }: Drawn): uPlot.Options {
  const styles = getComputedStyle(element)
  const colour = (name: string) => resolved(element, styles.getPropertyValue(name))
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
  return {
    width: element.clientWidth,
    height: 200,
    // Days are those of UTC, as the service counts them.
    ...(!hourly && { tzDate: (at: number) => Plot.tzDate(new Date(at * 1000), 'Etc/UTC') }),
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, most ?? Math.max(1, high * 1.1)] } },
    axes: [
      { ...axis, values: (_plot, ticks) => ticks.map((tick) => tickText(tick * 1000, hourly)) },
      { ...axis, size: 64, values: (_plot, ticks) => ticks.map((tick) => textOf(tick)) },
    ],
    series: [
      {},
      ...series.map(({ name, colour: of, bars }) => ({
        label: name,
        stroke: colour(of),
        width: 2,
        points: { show: true, size: 6 },
        ...(bars && {
          fill: colour(of),
          width: 0,
          paths: Plot.paths.bars!({ size: [0.7, 24] }),
          points: { show: false },
        }),
      })),
    ],
  }
}

const tickText = (at: number, hourly: boolean): string =>
  hourly
    ? new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
    : new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** A canvas knows no `light-dark()`: the browser is asked what it comes to here. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
