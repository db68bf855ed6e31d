import { CheckoutKeys } from './checkout-keys.tsx'
import { HostKeys } from './host-keys.tsx'
import type { SectionProps } from './section-props.ts'

/** The keys of a project: with which it is checked out, and which its builds get for other hosts. */
export function KeySection(props: SectionProps) {
  return (
    <>
      <CheckoutKeys {...props} />
      <HostKeys {...props} />
    </>
  )
}
