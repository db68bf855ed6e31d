import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { PipelineGlance, ProjectCard } from '#contract/rh/projects.ts'
import { pipelinePage, pipelinesPage, toSlug } from '#web/address.ts'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { When } from '#web/parts/when.tsx'
import { projectsQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { sampleOrganization } from './use-organization.ts'
import { WaysOn } from './ways-on.tsx'

/** The projects of the caller, with the state of their last pipelines; and how to get more of them. */
export function HomePage() {
  useTitle('Projects')
  const projects = useInfiniteQuery(projectsQuery)
  return (
    <>
      <h1>Projects</h1>
      <QueryView query={projects}>
        {({ pages }) => {
          const cards = pages.flatMap((page) => page.items)
          return (
            <>
              <ul className="cards">
                {cards.map((card) => (
                  <Card key={card.id} card={card} />
                ))}
              </ul>
              <MoreButton name="More projects" list={projects} />
              <WaysOn first={cards.every(isSample)} none={cards.length === 0} />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

const isSample = ({ organization }: ProjectCard): boolean => organization === sampleOrganization

function Card({ card }: { readonly card: ProjectCard }) {
  const slug = toSlug(card.slug)
  return (
    <li className="card">
      <h2>
        <Link to={pipelinesPage(slug)}>
          <span className="soft">{card.organization} / </span>
          {card.name}
        </Link>
      </h2>
      {card.last_pipeline ? <Glance card={card} last={card.last_pipeline} /> : <p className="soft">No pipeline yet</p>}
    </li>
  )
}

function Glance({ card, last }: { readonly card: ProjectCard; readonly last: PipelineGlance }) {
  const ref = last.branch ?? last.tag
  return (
    <>
      <p className="row">
        <Status status={last.status ?? last.state} />
        <Link to={pipelinePage(toSlug(card.slug), last.number)}>#{last.number}</Link>
        {ref !== null && <span className="ref">{ref}</span>}
        <span className="soft">
          <When at={last.created_at} />
        </span>
      </p>
      {last.subject !== null && <p className="subject">{last.subject}</p>}
    </>
  )
}
