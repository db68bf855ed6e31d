import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { projectIn, type Slug } from '#web/address.ts'
import { isMissing, isSignedOut } from '#web/api/said.ts'
import { NoProjectPage } from '#web/pages/no-project-page.tsx'
import { SignInPage } from '#web/pages/sign-in-page.tsx'
import { projectQuery, sessionQuery } from '#web/read/queries.ts'
import { useLive } from '#web/read/use-live.ts'
import { useNotifications } from '#web/read/use-notifications.ts'
import { Frame } from './frame.tsx'
import { Trouble } from './trouble.tsx'

/** Around every page for those who are signed in; whoever is not is shown how to. */
export function Shell() {
  const session = useQuery(sessionQuery)
  if (isSignedOut(session.error)) return <SignInPage />
  if (session.error && !session.data)
    return (
      <Frame>
        <Trouble error={session.error} />
      </Frame>
    )
  // Not known yet: most who come are signed in, and their page need not wait for the word.
  return <Inside />
}

const nobody: Slug = { provider: '', org: '', repo: '' }

function Inside() {
  const slug = projectIn(useLocation().pathname)
  // An address may use another name of the provider than the service does; the id is the same for all of them.
  const project = useQuery({ ...projectQuery(slug ?? nobody), enabled: slug !== undefined })
  useNotifications()
  useLive(slug === undefined ? 'all' : project.data?.id)
  return (
    <Frame>
      {slug !== undefined && isMissing(project.error) && !project.data ? (
        <NoProjectPage slug={slug} />
      ) : (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <Outlet />
        </Suspense>
      )}
    </Frame>
  )
}
