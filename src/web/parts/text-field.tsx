import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'

interface Written extends FieldProps {
  readonly value: string
  readonly onText: (value: string) => void
}

type InputProps = Written & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id'>
type AreaProps = Written & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'id'>

/** What is written into fields are names and commands, not prose. */
const plain = { spellCheck: false, autoComplete: 'off' } as const

/** One line of text to write, with its label and a hint. */
export function TextField({ label, hint, error, quiet = false, onText, ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} quiet={quiet}>
      {(told) => <input {...plain} onChange={(event) => onText(event.target.value)} {...rest} {...told} />}
    </Field>
  )
}

/** Several lines of text to write, with their label and a hint. */
export function AreaField({ label, hint, error, quiet = false, onText, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} quiet={quiet}>
      {(told) => <textarea {...plain} onChange={(event) => onText(event.target.value)} {...rest} {...told} />}
    </Field>
  )
}
