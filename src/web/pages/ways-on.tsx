import { useState } from 'react'
import { createUserToken } from '#contract/v1/tokens.ts'
import { callV1 } from '#web/api/calls.ts'
import { Trouble } from '#web/parts/trouble.tsx'
import { useAction } from '#web/read/use-action.ts'
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
  const [token, setToken] = useState<string>()
  return (
    <details className="ways" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{none || first ? 'Add a project of your own: three ways to go on' : 'Add a project'}</h2>
      </summary>
      <TokenBar token={token} onToken={setToken} />
      <div className="columns">
        <PushFolder token={token} />
        <AddProject token={token} />
        <ConnectProvider token={token} />
      </div>
    </details>
  )
}

interface BarProps {
  readonly token: string | undefined
  readonly onToken: (token: string) => void
}

/** Puts a token into all three commands at once. */
function TokenBar({ token, onToken }: BarProps) {
  const make = useAction(
    () => callV1(createUserToken, { body: { label: 'first steps' } }),
    (made) => onToken(made.token),
  )
  return (
    <div className="panel one-line">
      <p className="soft">
        {token === undefined ? (
          <>
            Commands need a token of yours in place of <code>&lt;token&gt;</code>. The command that started the server
            says where the first one is kept.
          </>
        ) : (
          'The token in these commands is shown this once. It can do what you can: keep it to yourself.'
        )}
      </p>
      {token === undefined && (
        <button type="button" disabled={make.isPending} onClick={() => make.mutate(undefined)}>
          Make a token and put it in
        </button>
      )}
      <Trouble error={make.error} />
    </div>
  )
}
