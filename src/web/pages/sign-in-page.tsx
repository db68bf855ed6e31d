import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { signIn } from '#contract/rh/session.ts'
import { afterSignIn } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { Frame } from '#web/parts/frame.tsx'
import { Mark } from '#web/parts/mark.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { PasswordForm } from './password-form.tsx'
import { signedIn } from '#web/read/signed-in.ts'
import { useAction } from '#web/read/use-action.ts'
import { useTitle } from '#web/read/use-title.ts'

const keyIn = (fragment: string): string | null => new URLSearchParams(fragment.slice(1)).get('key')

/** Signs in with the one-time key in the fragment of its address, which no server and no log sees; or says how to get one. */
export function SignInPage() {
  useTitle('Sign in')
  const { state } = useKey()
  return (
    <Frame user={false}>
      <div className="sign-in panel">
        <h1>
          <Mark />
          Sign in
        </h1>
        {state.isPending ? (
          <p role="status">Signing in…</p>
        ) : (
          <>
            {state.error && <Trouble error={state.error} />}
            <PasswordForm />
            <p className="or">
              Or open a sign-in link: one was printed by the command that started the server, and ends with{' '}
              <code>/sign-in#key=…</code> It works once; the command prints a new one at every start.
            </p>
          </>
        )}
      </div>
    </Frame>
  )
}

function useKey() {
  const location = useLocation()
  const { hash, pathname } = location
  const navigate = useNavigate()
  const queries = useQueryClient()
  const next = afterSignIn({ ...location, hash: '' })
  const used = useRef<string>(null)
  const state = useAction(
    (key: string) => callRh(signIn, { body: { key } }),
    (user) => {
      signedIn(queries, user)
      void navigate(next, { replace: true })
    },
  )
  const { mutate } = state
  useEffect(() => {
    const key = pathname === '/sign-in' ? keyIn(hash) : null
    if (key === null || key === '' || used.current === key) return
    used.current = key
    mutate(key)
  }, [hash, pathname, mutate])
  return { state }
}
