import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { signOut } from '#contract/rh/session.ts'
import { userPage } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { sessionQuery } from '#web/read/queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useArrival } from '#web/read/use-arrival.ts'
import { MainNav } from './main-nav.tsx'
import { Mark } from './mark.tsx'
import { SearchButton } from './search-button.tsx'
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
          {user && <SearchButton />}
          <ThemeButton />
          {user && <SignedIn />}
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer className="foot">
        <span>Roundhouse</span>
        <a href="/docs/api">Interface (API)</a>
        <a href="/api/v2/openapi.json">OpenAPI</a>
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
      <Link className="login" to={userPage('tokens')} title={user.name}>
        <span className="unseen">Your settings, signed in as </span>
        {user.login}
      </Link>
      <button type="button" className="quiet" disabled={leave.isPending} onClick={() => leave.mutate(undefined)}>
        Sign out
      </button>
    </>
  )
}
