import { Link } from 'react-router'

/** One step of the way from the first page to this one. */
export interface Crumb {
  readonly name: string
  readonly to: string
}

/** Where this page lies. */
export function Crumbs({ trail }: { readonly trail: readonly Crumb[] }) {
  return (
    <nav aria-label="Where you are" className="crumbs">
      <ol>
        {trail.map(({ name, to }) => (
          <li key={to}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
