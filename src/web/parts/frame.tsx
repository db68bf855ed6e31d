import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { signOut } from '#contract/rh/session.ts'
import { callRh } from '#web/api/calls.ts'
import { sessionQuery } from '#web/read/queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useArrival } from '#web/read/use-arrival.ts'
import { MainNav } from './main-nav.tsx'
import { Mark } from './mark.tsx'
import { ThemeButton } from './theme-button.tsx'

/** Header, page, footer. */
export function Frame({ children, user = true }: { readonly children: ReactNode; readonly user?: boolean }) {
  const main = useRef<HTMLElement>(null)
  useArrival(main)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <Link className="brand" to="/">
          <Mark />
          Roundhouse
        </Link>
        {user && <MainNav />}
        <div className="who">
          <ThemeButton />
          {user && <SignedIn />}
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer className="foot">
        <span>Roundhouse</span>
        <a href="/api/v2/openapi.json">Interface description (OpenAPI)</a>
      </footer>
    </>
  )
}

function SignedIn() {
  const { data: user } = useQuery(sessionQuery)
  // The whole page is loaded anew: nothing that the last user saw stays in memory.
  const leave = useAction(
    () => callRh(signOut, {}),
    () => window.location.assign('/sign-in'),
  )
  if (!user) return null
  return (
    <>
      <span className="login" title={user.name}>
        <span className="unseen">Signed in as </span>
        {user.login}
      </span>
      <button type="button" className="quiet" disabled={leave.isPending} onClick={() => leave.mutate(undefined)}>
        Sign out
      </button>
    </>
  )
}
