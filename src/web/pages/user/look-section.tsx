import { useSyncExternalStore } from 'react'
import { SectionHead } from '#web/parts/section-head.tsx'
import { chooseTheme, chosenTheme, type Theme, watchTheme } from '#web/theme.ts'

const names: Readonly<Record<Theme, string>> = {
  system: 'As this machine has it',
  light: 'Light',
  dark: 'Dark',
}

/** The look of the pages in this browser. */
export function LookSection() {
  const theme = useSyncExternalStore(watchTheme, chosenTheme)
  return (
    <>
      <SectionHead name="Look" about="Kept in this browser, and nowhere else." />
      <fieldset className="check-group">
        <legend>Colours</legend>
        {Object.entries(names).map(([word, name]) => (
          <label key={word} className="check">
            <input type="radio" name="theme" checked={theme === word} onChange={() => chooseTheme(word as Theme)} />
            {name}
          </label>
        ))}
      </fieldset>
    </>
  )
}
