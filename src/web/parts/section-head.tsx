import type { ReactNode } from 'react'

interface Props {
  readonly name: string
  /** What this is for, in a sentence or two. */
  readonly about?: ReactNode
  /** Why nothing can be changed here; nothing where it can. */
  readonly refused?: string | undefined
  /** What can be done here, at the right. */
  readonly children?: ReactNode
  /** Under another heading. */
  readonly inner?: boolean
}

/** What begins a section: its name, what it is for, what can be done, and why not where it cannot. */
export function SectionHead({ name, about, refused, children, inner = false }: Props) {
  const Heading = inner ? 'h3' : 'h2'
  return (
    <>
      <div className="section-head">
        <div>
          <Heading>{name}</Heading>
          {about !== undefined && <p className="soft">{about}</p>}
        </div>
        {children}
      </div>
      {refused !== undefined && <p className="note">{refused}</p>}
    </>
  )
}
