import { useEffect, useRef } from 'react'
import { Link } from 'react-router'

/** One view of a page. */
export interface Tab {
  readonly name: string
  readonly to: string
  readonly current: boolean
  /** How many things it holds, and whether some of them are bad. */
  readonly count?: number | undefined
  readonly bad?: boolean
}

/** The views of a page: links, so that each has an address of its own. */
export function Tabs({ name, tabs }: { readonly name: string; readonly tabs: readonly Tab[] }) {
  const list = useRef<HTMLUListElement>(null)
  const current = tabs.find((tab) => tab.current)?.name
  useEffect(() => {
    // On a narrow screen the row scrolls; the page itself must stay where it is.
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (link && list.current) list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft - 16
  }, [current])
  return (
    <nav className="tabs" aria-label={name}>
      <ul ref={list}>
        {tabs.map((tab) => (
          <li key={tab.name}>
            <Link to={tab.to} aria-current={tab.current ? 'page' : undefined} preventScrollReset>
              {tab.name}
              {tab.count !== undefined && <span className={tab.bad ? 'count bad' : 'count'}>{tab.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
