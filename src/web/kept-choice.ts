/** A yes or no that this browser remembers, for all its tabs. */
export interface KeptChoice {
  readonly isOn: () => boolean
  readonly choose: (on: boolean) => void
  /** Calls back whenever it changes, in this tab or another, until told to stop. */
  readonly watch: (callback: () => void) => () => void
}

/** A choice that is off until it is made; in a browser that keeps nothing it lasts as long as the page. */
export function keptChoice(key: string): KeptChoice {
  const watchers = new Set<() => void>()
  let here: boolean | undefined
  return {
    isOn() {
      if (here !== undefined) return here
      try {
        return localStorage.getItem(key) === 'on'
      } catch {
        return false
      }
    },
    choose(on) {
      here = on
      try {
        localStorage.setItem(key, on ? 'on' : 'off')
        here = undefined
      } catch {
        // Then it lasts as long as the page.
      }
      for (const callback of watchers) callback()
    },
    watch(callback) {
      watchers.add(callback)
      window.addEventListener('storage', callback)
      return () => {
        watchers.delete(callback)
        window.removeEventListener('storage', callback)
      }
    },
  }
}
