import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { JobPage, JobStep } from '#contract/rh/job.ts'
import { LogView } from '#web/log/log-view.tsx'
import { placeIn } from '#web/log/permalink.ts'
import { StatusShape } from '#web/parts/status.tsx'
import { Length } from '#web/parts/when.tsx'
import { statusLook } from '#web/status-look.ts'

/**
 * The steps of a job. What runs, failed, or is named by the address is open, until the reader decides otherwise;
 * what ended while it was watched stays open until the next step begins.
 */
export function StepList({ job }: { readonly job: JobPage }) {
  const place = placeIn(useLocation().hash)
  const find = useSearchParams()[0].get('find') ?? ''
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  const watched = useWatched(job.steps)
  if (job.steps.length === 0) return job.waiting === null ? <p className="soft">No steps yet</p> : null
  return (
    <ol className="steps panel">
      {job.steps.map((step) => {
        const open = chosen.get(step.index) ?? (speaksUp(step) || [place?.step, watched].includes(step.index))
        return (
          <li key={step.index} className="step">
            <StepHead step={step} open={open} toggle={() => setChosen(new Map([...chosen, [step.index, !open]]))} />
            {open && (
              <div id={`step-${step.index}`}>
                {step.command !== null && (
                  <pre className="command" tabIndex={0} aria-label={`Command of ${step.name}`}>
                    {step.command}
                  </pre>
                )}
                {step.status === 'waiting' || step.status === 'skipped' ? (
                  <p className="soft inset">{step.status === 'waiting' ? 'Has not started' : 'Was not run'}</p>
                ) : (
                  <LogView
                    log={{ job: job.id, node: job.node, step: step.index }}
                    name={step.name}
                    place={place?.step === step.index ? place : undefined}
                    find={find}
                  />
                )}
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** The step that runs, or ran last while this page was shown. */
function useWatched(steps: readonly JobStep[]): number | undefined {
  const running = steps.findLast((step) => step.status === 'running')?.index
  const [watched, setWatched] = useState(running)
  useEffect(() => {
    if (running !== undefined) setWatched(running)
  }, [running])
  return watched
}

function speaksUp({ status }: JobStep): boolean {
  return status === 'running' || statusLook[status].tone === 'bad'
}

interface HeadProps {
  readonly step: JobStep
  readonly open: boolean
  readonly toggle: () => void
}

function StepHead({ step, open, toggle }: HeadProps) {
  return (
    <h2>
      <button type="button" className="fold" aria-expanded={open} onClick={toggle}>
        <span className="arrow" aria-hidden="true">
          ▸
        </span>
        <StatusShape status={step.status} />
        <span className="name">{step.name}</span>
        <span className="soft">
          <span className="unseen">, </span>
          {statusLook[step.status].label}
          {step.exit_code !== null && step.exit_code !== 0 && `, exit code ${step.exit_code}`}{' '}
          {step.status !== 'skipped' && (
            <Length from={step.started_at} to={step.ended_at} running={step.status === 'running'} />
          )}
        </span>
      </button>
    </h2>
  )
}
