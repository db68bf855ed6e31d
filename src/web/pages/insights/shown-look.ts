import { chosenTheme, watchTheme } from '#web/theme.ts'

const dark = '(prefers-color-scheme: dark)'

/** The look that is shown, whoever chose it: what is drawn once must be drawn anew when it changes. */
export const shownLook = (): string => `${chosenTheme()} ${matchMedia(dark).matches ? 'dark' : 'light'}`

/** Calls back whenever the look changes, by choice or with the machine, until told to stop. */
export function watchLook(callback: () => void): () => void {
  const machine = matchMedia(dark)
  const stop = watchTheme(callback)
  machine.addEventListener('change', callback)
  return () => {
    stop()
    machine.removeEventListener('change', callback)
  }
}
