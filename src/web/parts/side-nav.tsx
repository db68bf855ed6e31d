import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Props {
  readonly name: string
  readonly sections: readonly { readonly name: string; readonly to: string; readonly current: boolean }[]
  readonly children: ReactNode
}

/** Sections of a page beside what is chosen of them; each has an address of its own. */
export function SideNav({ name, sections, children }: Props) {
  return (
    <div className="sided">
      <nav aria-label={name} className="side-nav">
        <ul>
          {sections.map((section) => (
            <li key={section.to}>
              <Link to={section.to} aria-current={section.current ? 'page' : undefined}>
                {section.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="side-page">{children}</div>
    </div>
  )
}
