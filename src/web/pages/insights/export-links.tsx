import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOf } from '#contract/client.ts'
import { exportRuns } from '#contract/rh/insights.ts'
import { rhBase } from '#web/api/calls.ts'
import type { Insight } from '#web/read/insight-queries.ts'
import { projectQuery } from '#web/read/queries.ts'
import { windowMs } from './spans.ts'

interface Props {
  readonly about: Insight
  readonly workflow: string | null
}

/** What is shown, for a spreadsheet or a program. */
export function ExportLinks({ about, workflow }: Props) {
  const { data: project } = useQuery(projectQuery(about.slug))
  const [now] = useState(Date.now)
  if (!project) return null
  const address = (format: 'csv' | 'json') =>
    rhBase +
    addressOf(exportRuns, {
      params: { id: project.id },
      query: {
        format,
        'start-date': new Date(now - windowMs[about.window]).toISOString(),
        branch: about.branch,
        'workflow-name': workflow ?? undefined,
      },
    })
  const name = `runs-of-${about.slug.repo}`
  return (
    <p className="export">
      <span className="soft">Export runs</span>{' '}
      <a className="button quiet" href={address('csv')} download={`${name}.csv`}>
        CSV
      </a>{' '}
      <a className="button quiet" href={address('json')} download={`${name}.json`}>
        JSON
      </a>
    </p>
  )
}
