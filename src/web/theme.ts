/** The look that a reader chose; `system` is that of their machine. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'roundhouse-theme'
const changed = 'roundhouse-theme-changed'

/** The order in which one button goes through them. */
export const nextTheme: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

/** What was chosen in this browser; a browser that keeps nothing has chosen nothing. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

/** Shows the pages in the look that was chosen. */
export function applyTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Chooses, remembers and shows a look. */
export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    return
  }
  applyTheme()
  window.dispatchEvent(new Event(changed))
}

/** Calls back whenever the choice changes, in this tab or another, until told to stop. */
export function watchTheme(callback: () => void): () => void {
  const elsewhere = () => {
    applyTheme()
    callback()
  }
  window.addEventListener(changed, callback)
  window.addEventListener('storage', elsewhere)
  return () => {
    window.removeEventListener(changed, callback)
    window.removeEventListener('storage', elsewhere)
  }
}
