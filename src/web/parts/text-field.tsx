import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'

interface Common {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onText: (value: string) => void
}

type InputProps = Common & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id'>
type AreaProps = Common & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'id'>

/** One line of text to write, with its label and a hint. */
export function TextField({ label, hint, onText, ...rest }: InputProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onText(event.target.value)}
        {...rest}
      />
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

/** Several lines of text to write, with their label and a hint. */
export function AreaField({ label, hint, onText, ...rest }: AreaProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onText(event.target.value)}
        {...rest}
      />
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
