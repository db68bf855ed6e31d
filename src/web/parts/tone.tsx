import type { ReactNode } from 'react'
import { ToneShape } from './status.tsx'
import type { Tone as Word } from '#web/status-look.ts'

/** How something other than a run stands: a shape, a colour and words. */
export function Tone({ tone, children }: { readonly tone: Word; readonly children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <ToneShape tone={tone} />
      {children}
    </span>
  )
}
