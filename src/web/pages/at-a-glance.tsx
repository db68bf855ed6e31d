import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ProjectCard } from '#contract/rh/projects.ts'
import { allPipelinesPage } from '#web/address.ts'
import { foundQuery } from '#web/read/queries.ts'
import { statusLook } from '#web/status-look.ts'

/** What runs, what waits for somebody, and what is broken: three numbers that lead to their lists. */
export function AtAGlance({ cards }: { readonly cards: readonly ProjectCard[] }) {
  const active = useQuery(foundQuery({ look: 'active' }))
  const held = useQuery(foundQuery({ look: 'held' }))
  const broken = cards.filter((card) => isBroken(card))
  if (cards.length === 0) return null
  return (
    <ul className="glance">
      <Figure look="active" tone="busy" count={countOf(active.data)} one="pipeline runs" many="pipelines run" />
      <Figure look="held" tone="hold" count={countOf(held.data)} one="waits for approval" many="wait for approval" />
      <Figure
        look="broken"
        tone="bad"
        count={String(broken.length)}
        one="project is broken on its main branch"
        many="projects are broken on their main branch"
      />
    </ul>
  )
}

interface Found {
  readonly items: readonly unknown[]
  readonly next_page_token: string | null
}

const countOf = (found: Found | undefined): string =>
  found === undefined
    ? '…'
    : `${found.items.length}${found.next_page_token === null || found.items.length === 0 ? '' : '+'}`

/** The branch that matters: the default one, or whatever was built last where there is none. */
function isBroken({ default_branch: main, branches, last_pipeline: last }: ProjectCard): boolean {
  const glance = branches.find(({ branch }) => branch === main) ?? last
  return glance !== null && statusLook[glance.status ?? glance.state].tone === 'bad'
}

interface FigureProps {
  readonly look: string
  readonly tone: string
  readonly count: string
  readonly one: string
  readonly many: string
}

function Figure({ look, tone, count, one, many }: FigureProps) {
  return (
    <li>
      <Link to={allPipelinesPage({ look })}>
        <strong className={count === '0' ? 'soft' : tone}>{count}</strong> {count === '1' ? one : many}
      </Link>
    </li>
  )
}
