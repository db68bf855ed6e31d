import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { PipelineGlance, ProjectCard } from '#contract/rh/projects.ts'
import { pipelinePage, pipelinesPage, type Slug, toSlug } from '#web/address.ts'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status, StatusShape } from '#web/parts/status.tsx'
import { When } from '#web/parts/when.tsx'
import { projectsQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { statusLook, worstOf } from '#web/status-look.ts'
import { AtAGlance } from './at-a-glance.tsx'
import { sampleOrganization } from './use-organization.ts'

const WaysOn = lazy(async () => ({ default: (await import('./ways-on.tsx')).WaysOn }))

/** The dashboard: what runs and what is broken, each project with the state of its branches, and how to get more of them. */
export function HomePage() {
  const projects = useInfiniteQuery(projectsQuery)
  const cards = projects.data?.pages.flatMap((page) => page.items) ?? []
  useTitle('Dashboard', worstOf(cards.flatMap(({ last_pipeline: last }) => (last ? [statusOf(last)] : []))))
  return (
    <>
      <h1>Projects</h1>
      <QueryView query={projects}>
        {() => (
          <>
            <AtAGlance cards={cards} />
            <ul className="cards">
              {cards.toSorted(followedFirst).map((card) => (
                <Card key={card.id} card={card} />
              ))}
            </ul>
            <MoreButton name="More projects" list={projects} />
            <Suspense>
              <WaysOn first={cards.every(isSample)} none={cards.length === 0} />
            </Suspense>
          </>
        )}
      </QueryView>
    </>
  )
}

const statusOf = ({ status, state }: PipelineGlance) => status ?? state

const isSample = ({ organization }: ProjectCard): boolean => organization === sampleOrganization

const lastBuilt = ({ last_pipeline: last }: ProjectCard): string => last?.created_at ?? ''

/** Those that the reader follows come first, then by when something last happened. */
const followedFirst = (one: ProjectCard, other: ProjectCard): number =>
  Number(other.followed) - Number(one.followed) || (lastBuilt(one) < lastBuilt(other) ? 1 : -1)

function Card({ card }: { readonly card: ProjectCard }) {
  const slug = toSlug(card.slug)
  const last = card.last_pipeline
  const tone = last === null ? 'idle' : statusLook[statusOf(last)].tone
  return (
    <li className={`card panel edge-${tone}`}>
      <div className="card-head">
        <h2>
          <Link to={pipelinesPage(slug)}>
            <span className="soft">{card.organization} / </span>
            {card.name}
          </Link>
        </h2>
        {last && <Status status={statusOf(last)} />}
      </div>
      {last ? <Last slug={slug} last={last} /> : <p className="soft">No pipeline yet</p>}
      {card.branches.length > 0 && (
        <ul className="branches" aria-label={`Branches of ${card.name}`}>
          {card.branches.map((one) => (
            <Branch key={one.id} slug={slug} glance={one} />
          ))}
        </ul>
      )}
    </li>
  )
}

interface GlanceProps {
  readonly slug: Slug
  readonly glance: PipelineGlance
}

function Last({ slug, last }: { readonly slug: Slug; readonly last: PipelineGlance }) {
  return (
    <p className="subject">
      <Link to={pipelinePage(slug, last.number)}>#{last.number}</Link> {last.subject}
    </p>
  )
}

function Branch({ slug, glance }: GlanceProps) {
  const status = statusOf(glance)
  return (
    <li>
      <StatusShape status={status} />
      <span className="unseen">{statusLook[status].label}: </span>
      <Link className="branch-name" to={pipelinePage(slug, glance.number)}>
        {glance.branch}
      </Link>
      <span className="soft">
        <When at={glance.created_at} />
      </span>
    </li>
  )
}
