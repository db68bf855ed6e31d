import { useState } from 'react'
import { AddProject } from './add-project.tsx'
import { ConnectProvider } from './connect-provider.tsx'
import { PushFolder } from './push-folder.tsx'

interface Props {
  /** Whether the caller has nothing of their own here yet. */
  readonly first: boolean
  readonly none: boolean
}

/** The three ways to bring a project here: laid out for somebody new, folded away for everybody else. */
export function WaysOn({ first, none }: Props) {
  // Decided once: what is shown here, a key or a token, must not fold away because the first project came.
  const [open, setOpen] = useState(first)
  return (
    <details className="ways" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{none ? 'No project yet: three ways to go on' : 'Add a project'}</h2>
      </summary>
      <div className="columns">
        <PushFolder />
        <AddProject />
        <ConnectProvider />
      </div>
    </details>
  )
}
