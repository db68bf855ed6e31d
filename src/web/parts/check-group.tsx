interface Props<Word extends string | number> {
  readonly label: string
  readonly choices: readonly Word[]
  readonly chosen: readonly Word[]
  readonly nameOf?: (word: Word) => string
  readonly onChange: (chosen: readonly Word[]) => void
}

/** Any number of a few words to choose. */
export function CheckGroup<Word extends string | number>(props: Props<Word>) {
  const { label, choices, chosen, nameOf = String, onChange } = props
  const toggle = (word: Word) =>
    onChange(choices.filter((one) => (one === word ? !chosen.includes(one) : chosen.includes(one))))
  return (
    <fieldset className="check-group">
      <legend>{label}</legend>
      {choices.map((word) => (
        <label key={word} className="check">
          <input type="checkbox" checked={chosen.includes(word)} onChange={() => toggle(word)} />
          {nameOf(word)}
        </label>
      ))}
    </fieldset>
  )
}
