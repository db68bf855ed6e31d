import { type ReactNode, useId } from 'react'

/** What stands around every field. */
export interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with what was entered. */
  readonly error?: string | undefined
  /** Where the label stands elsewhere already, as in a table. */
  readonly quiet?: boolean
}

/** What the control in a field must carry, so that its label, hint and error are heard with it. */
export interface Told {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A control with its label, a hint, and what is wrong with it. */
export function Field(props: FieldProps & { readonly children: (told: Told) => ReactNode }) {
  const { label, hint, error, quiet = false, children } = props
  const id = useId()
  const words = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    (word) => word !== false,
  )
  const told: Told = {
    id,
    'aria-describedby': words.length === 0 ? undefined : words.join(' '),
    'aria-invalid': error === undefined ? undefined : true,
  }
  return (
    <div className="field">
      <label htmlFor={id} className={quiet ? 'unseen' : undefined}>
        {label}
      </label>
      {children(told)}
      {error !== undefined && (
        <small id={`${id}-error`} className="wrong" role="alert">
          {error}
        </small>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
