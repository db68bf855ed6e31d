import { Link, useLocation } from 'react-router'

interface Place {
  readonly name: string
  readonly to: string
  /** The addresses that belong to it. */
  readonly holds: RegExp
}

/** The places that every page can go to. */
const places: readonly Place[] = [
  { name: 'Dashboard', to: '/', holds: /^\/$/ },
  { name: 'Pipelines', to: '/pipelines', holds: /^\/(pipelines|projects)(\/|$)/ },
  { name: 'Organizations', to: '/organizations', holds: /^\/(organizations|installation)(\/|$)/ },
]

/** The way from anywhere to the main places. */
export function MainNav() {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Main" className="main-nav">
      <ul>
        {places.map(({ name, to, holds }) => (
          <li key={to}>
            <Link to={to} aria-current={holds.test(pathname) ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
