import { Field, type FieldProps } from './field.tsx'

interface Props<Word extends string> extends FieldProps {
  readonly value: Word
  readonly choices: Readonly<Record<Word, string>>
  readonly onChoice: (value: Word) => void
  readonly disabled?: boolean
}

/** One of a few words to choose. */
export function ChoiceField<Word extends string>(props: Props<Word>) {
  const { value, choices, onChoice, disabled = false, ...field } = props
  return (
    <Field {...field}>
      {(told) => (
        <select {...told} value={value} disabled={disabled} onChange={(event) => onChoice(event.target.value as Word)}>
          {Object.entries<string>(choices).map(([word, name]) => (
            <option key={word} value={word}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
