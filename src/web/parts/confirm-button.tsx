import { useEffect, useId, useRef, useState } from 'react'
import { Trouble } from './trouble.tsx'

interface Props {
  /** What it does, as its button says it. */
  readonly name: string
  /** To what, for those who cannot see the line it stands on. */
  readonly what: string
  /** What cannot be undone, asked in place before it is done. */
  readonly question: string
  readonly action: { readonly isPending: boolean; readonly error: unknown; readonly mutate: () => void }
  readonly refused?: string | undefined
}

/** Something that cannot be undone: asks in place, and says why where it is not allowed. */
export function ConfirmButton({ name, what, question, action, refused }: Props) {
  const [asked, setAsked] = useState(false)
  const sure = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  const id = useId()
  useEffect(() => {
    if (asked) sure.current?.focus()
    else if (wasAsked.current) first.current?.focus()
    wasAsked.current = asked
  }, [asked])
  if (!asked)
    return (
      <>
        <button
          ref={first}
          type="button"
          className="quiet danger"
          aria-label={`${name} ${what}`}
          aria-disabled={refused !== undefined}
          title={refused}
          onClick={() => {
            if (refused === undefined) setAsked(true)
          }}
        >
          {name}
        </button>
        <Trouble error={action.error} />
      </>
    )
  return (
    <div
      className="confirm"
      role="group"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setAsked(false)
      }}
    >
      <span id={id}>{question}</span>
      <button
        ref={sure}
        type="button"
        className="quiet danger"
        disabled={action.isPending}
        onClick={() => {
          setAsked(false)
          action.mutate()
        }}
      >
        Yes, {name.toLowerCase()}
      </button>
      <button type="button" className="quiet" onClick={() => setAsked(false)}>
        No
      </button>
    </div>
  )
}
