import type { JobTest } from '#contract/v2/job.ts'
import { StatusShape } from '#web/parts/status.tsx'
import type { StatusWord } from '#web/status-look.ts'

const looks: Readonly<Record<JobTest['result'], { readonly status: StatusWord; readonly label: string }>> = {
  success: { status: 'success', label: 'passed' },
  failure: { status: 'failed', label: 'failed' },
  error: { status: 'error', label: 'broke' },
  skipped: { status: 'skipped', label: 'skipped' },
}

/** How the result of a test is shown; a word that nobody knows is shown as it is. */
export const resultLook = (result: string): { readonly status: StatusWord; readonly label: string } =>
  Object.hasOwn(looks, result) ? looks[result as JobTest['result']] : { status: 'skipped', label: result }

/** How a test went: a shape, and a word for whoever hears the page. */
export function TestResult({ result }: { readonly result: string }) {
  const { status, label } = resultLook(result)
  return (
    <>
      <StatusShape status={status} />
      <span className="unseen">{label}: </span>
    </>
  )
}
