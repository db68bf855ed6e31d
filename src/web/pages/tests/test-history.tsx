import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Output } from '#contract/endpoint.ts'
import { type getTestHistory, quarantineTest, releaseTest } from '#contract/rh/quarantine.ts'
import { buildPage, type Slug } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { accessQuery, onlyMembers } from '#web/read/settings-queries.ts'
import { type TestName, testHistoryQuery } from '#web/read/test-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { lengthOf } from '#web/times.ts'
import { TestResult } from './test-result.tsx'

interface Props {
  readonly slug: Slug
  /** The id of the project. */
  readonly project: string
  readonly test: TestName
}

/** How a test went before, newest first, and whether it is in quarantine. */
export function TestHistory({ slug, project, test }: Props) {
  const history = useInfiniteQuery(testHistoryQuery(project, test))
  return (
    <section className="test-history" aria-label={`History of ${test.name}`}>
      <QueryView query={history}>
        {({ pages }) => {
          const results = pages.flatMap((page) => page.items)
          return (
            <>
              <Quarantine slug={slug} project={project} test={test} quarantined={pages[0]?.quarantined ?? false} />
              <ol>
                {results.map((result) => (
                  <Past key={`${result.job_id} ${result.recorded_at}`} slug={slug} result={result} />
                ))}
              </ol>
              <MoreButton name="Earlier results" list={history} />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

function Past({
  slug,
  result,
}: {
  readonly slug: Slug
  readonly result: Output<typeof getTestHistory>['items'][number]
}) {
  return (
    <li>
      <TestResult result={result.result} />
      {result.job_number === null ? (
        <span>{result.job_name}</span>
      ) : (
        <Link to={buildPage(slug, result.job_number)}>
          {result.job_name} {result.job_number}
        </Link>
      )}
      {result.branch !== undefined && <span className="ref">{result.branch}</span>}
      <code>{result.revision.slice(0, 7)}</code>
      <span>{lengthOf(result.run_time * 1000)}</span>
      <When at={result.recorded_at} />
    </li>
  )
}

interface QuarantineProps {
  readonly slug: Slug
  readonly project: string
  readonly test: TestName
  readonly quarantined: boolean
}

function Quarantine({ slug, project, test: { name, classname, file }, quarantined }: QuarantineProps) {
  const access = useQuery(accessQuery(slug))
  const change = useAction(async (quarantine: boolean) => {
    if (quarantine) await callRh(quarantineTest, { params: { id: project }, body: { name, classname, file } })
    else await callRh(releaseTest, { params: { id: project }, query: { name, classname, file } })
  })
  return (
    <div className="row">
      <ActionButton
        name={quarantined ? 'Take out of quarantine' : 'Put into quarantine'}
        consequence={
          quarantined
            ? 'tests run --skip-quarantined will run it again'
            : 'tests run --skip-quarantined will leave it out'
        }
        refused={access.data?.may_configure === false ? onlyMembers : undefined}
        look="quiet"
        busy={change.isPending}
        act={() => change.mutate(!quarantined)}
      />
      {quarantined && <span className="tag">in quarantine</span>}
      {change.error && <Trouble error={change.error} />}
    </div>
  )
}
