import { type ReactNode, useSyncExternalStore } from 'react'
import { chooseTheme, chosenTheme, nextTheme, type Theme, watchTheme } from '#web/theme.ts'

const looks: Readonly<Record<Theme, { readonly name: string; readonly icon: ReactNode }>> = {
  system: {
    name: 'as this machine',
    icon: (
      <>
        <circle cx="8" cy="8" r="6" />
        <path d="M8 2a6 6 0 0 0 0 12z" fill="currentcolor" />
      </>
    ),
  },
  light: {
    name: 'light',
    icon: (
      <>
        <circle cx="8" cy="8" r="3" />
        <path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1" />
      </>
    ),
  },
  dark: { name: 'dark', icon: <path d="M13.5 9.8A6 6 0 1 1 6.2 2.5a4.8 4.8 0 0 0 7.3 7.3z" /> },
}

/** Goes from the look of the machine to light, to dark, and back. */
export function ThemeButton() {
  const theme = useSyncExternalStore(watchTheme, chosenTheme)
  const next = nextTheme[theme]
  const label = `Look: ${looks[theme].name}. Change to ${looks[next].name}`
  return (
    <button type="button" className="quiet bare" aria-label={label} title={label} onClick={() => chooseTheme(next)}>
      <svg
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentcolor"
        strokeWidth="1.4"
        strokeLinecap="round"
        aria-hidden="true"
      >
        {looks[theme].icon}
      </svg>
    </button>
  )
}
