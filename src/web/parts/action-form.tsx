import type { ReactNode, SyntheticEvent } from 'react'
import { Link } from 'react-router'
import { Trouble } from './trouble.tsx'

interface Props {
  readonly name: string
  /** What its button says. */
  readonly button: string
  readonly children: ReactNode
  readonly action: { readonly isPending: boolean; readonly error: unknown; readonly isSuccess?: boolean }
  readonly onSubmit: () => void
  /** Why it cannot be used; then it is shown, but nothing in it can be changed. */
  readonly refused?: string | undefined
  /** Where to go for leaving everything as it is. */
  readonly cancel?: string | undefined
  /** What is said once it is done, where nothing else shows it. */
  readonly done?: string
  /** Where its name is not said above it already. */
  readonly titled?: boolean
}

/** A form that does one thing, says what went wrong, and why it cannot be used where it cannot. */
export function ActionForm({ name, button, children, action, onSubmit, refused, cancel, done, titled = false }: Props) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (refused === undefined) onSubmit()
  }
  return (
    <form className="action-form panel" aria-label={name} onSubmit={submit}>
      <fieldset disabled={refused !== undefined}>
        <legend className="unseen">{name}</legend>
        {titled && <h3>{name}</h3>}
        {children}
        <Trouble error={action.error} />
        <div className="form-end">
          <button type="submit" className="strong" disabled={action.isPending} title={refused}>
            {button}
          </button>
          {cancel !== undefined && (
            <Link className="button" to={cancel} preventScrollReset replace>
              Cancel
            </Link>
          )}
          {done !== undefined && action.isSuccess && !action.isPending && (
            <span role="status" className="done">
              {done}
            </span>
          )}
        </div>
      </fieldset>
    </form>
  )
}
