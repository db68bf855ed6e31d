import { LimitForm } from '#web/pages/limit-form.tsx'
import type { SectionProps } from './section-props.ts'

/** How much a project may run; its organization says so. */
export function LimitSection({ access }: SectionProps) {
  return (
    <LimitForm
      subject="project"
      id={access.project_id}
      refused={
        access.may_own
          ? undefined
          : 'Only owners of the organization may change the limits of a project. Ask one of them.'
      }
    />
  )
}
