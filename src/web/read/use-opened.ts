import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** A form that is opened by an address. */
export interface Opened {
  readonly open: boolean
  /** The address that opens it, and the one that closes it. */
  readonly to: string
  readonly away: string
  readonly close: () => void
}

/** Whether the address asks for the form of that name. Everything else that the address says stays as it is. */
export function useOpened(word: string): Opened {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const addressWith = (add: string | undefined) => {
    const words = new URLSearchParams(search)
    words.delete('add')
    if (add !== undefined) words.set('add', add)
    return words.size === 0 ? pathname : `${pathname}?${words.toString()}`
  }
  const away = addressWith(undefined)
  return {
    open: search.get('add') === word,
    to: addressWith(word),
    away,
    close: () => void navigate(away, { preventScrollReset: true, replace: true }),
  }
}
