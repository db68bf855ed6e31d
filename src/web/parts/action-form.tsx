import type { ReactNode, SyntheticEvent } from 'react'
import { Trouble } from './trouble.tsx'

interface Props {
  readonly name: string
  /** What its button says. */
  readonly button: string
  readonly children: ReactNode
  readonly action: { readonly isPending: boolean; readonly error: unknown }
  readonly onSubmit: () => void
  /** Why it cannot be used; then it is shown, but nothing in it can be changed. */
  readonly refused?: string | undefined
}

/** A form that does one thing, says what went wrong, and why it cannot be used where it cannot. */
export function ActionForm({ name, button, children, action, onSubmit, refused }: Props) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (refused === undefined) onSubmit()
  }
  return (
    <form className="action-form" aria-label={name} onSubmit={submit}>
      <fieldset disabled={refused !== undefined}>
        <legend className="unseen">{name}</legend>
        {children}
        <div className="form-end">
          <button type="submit" className="strong" disabled={action.isPending}>
            {button}
          </button>
        </div>
      </fieldset>
      {refused !== undefined && <p className="note">{refused}</p>}
      <Trouble error={action.error} />
    </form>
  )
}
