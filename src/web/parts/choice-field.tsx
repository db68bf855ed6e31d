import { useId } from 'react'

interface Props<Word extends string> {
  readonly label: string
  readonly hint?: string
  readonly value: Word
  readonly choices: Readonly<Record<Word, string>>
  readonly onChoice: (value: Word) => void
  readonly disabled?: boolean
  /** Where the label stands elsewhere already, as in a table. */
  readonly quiet?: boolean
}

/** One of a few words to choose. */
export function ChoiceField<Word extends string>(props: Props<Word>) {
  const { label, hint, value, choices, onChoice, disabled = false, quiet = false } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={quiet ? 'unseen' : undefined}>
        {label}
      </label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChoice(event.target.value as Word)}>
        {Object.entries<string>(choices).map(([word, name]) => (
          <option key={word} value={word}>
            {name}
          </option>
        ))}
      </select>
      {hint !== undefined && <small>{hint}</small>}
    </div>
  )
}
