import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'

/** One section of a page, with an address of its own. */
export interface SideLink {
  readonly name: string
  readonly to: string
  readonly current: boolean
  /** Sections of one group stand together, under its name. */
  readonly group?: string
}

interface Props {
  readonly name: string
  readonly sections: readonly SideLink[]
  readonly children: ReactNode
}

/** Sections of a page beside what is chosen of them; a narrow screen folds them behind the name of that one. */
export function SideNav({ name, sections, children }: Props) {
  const id = useId()
  const current = sections.find((section) => section.current)
  // Folded again by going somewhere: what was unfolded is remembered by the section it was done in.
  const [unfolded, setUnfolded] = useState<string>()
  const open = unfolded === current?.to
  const groups = [...new Set(sections.map(({ group }) => group))]
  return (
    <div className="sided">
      <nav aria-label={name} className="side-nav">
        <button
          type="button"
          className="side-fold"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setUnfolded(open ? undefined : current?.to)}
        >
          {current?.name} <span aria-hidden="true">▾</span>
        </button>
        <div id={id} className={open ? 'side-links open' : 'side-links'}>
          {groups.map((group) => (
            <Group key={group ?? ''} name={group} links={sections.filter((section) => section.group === group)} />
          ))}
        </div>
      </nav>
      <div className="side-page">{children}</div>
    </div>
  )
}

function Group({ name, links }: { readonly name: string | undefined; readonly links: readonly SideLink[] }) {
  const id = useId()
  return (
    <>
      {name !== undefined && (
        <p id={id} className="side-group">
          {name}
        </p>
      )}
      <ul aria-labelledby={name === undefined ? undefined : id}>
        {links.map((link) => (
          <li key={link.to}>
            <Link to={link.to} aria-current={link.current ? 'page' : undefined}>
              {link.name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
