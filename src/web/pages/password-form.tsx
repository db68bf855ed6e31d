import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { getSignInWays, signInWithPassword } from '#contract/rh/session.ts'
import { afterSignIn, signInWay } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { Trouble } from '#web/parts/trouble.tsx'
import { signedIn } from '#web/read/signed-in.ts'
import { useAction } from '#web/read/use-action.ts'

const problems: Readonly<Record<string, string>> = {
  provider: 'The sign-in provider did not let you in. Try again, or sign in another way.',
  forbidden: 'There is no account here for you. Ask an administrator for one.',
  unauthenticated: 'That sign-in was not begun in this browser, or took too long. Try again.',
}

/** Signs in with a password, or at the provider where there is one. */
export function PasswordForm() {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [search] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const ways = useQuery({ queryKey: ['sign-in-ways'], queryFn: () => callRh(getSignInWays, {}) })
  const signIn = useAction(
    (body: { login: string; password: string }) => callRh(signInWithPassword, { body }),
    (user) => {
      signedIn(queries, user)
      void navigate(afterSignIn(location), { replace: true })
    },
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    signIn.mutate({ login: login.trim(), password })
  }
  const problem = problems[search.get('problem') ?? '']
  return (
    <>
      {problem !== undefined && (
        <p className="trouble" role="alert">
          {problem}
        </p>
      )}
      {ways.data?.openid && (
        <p>
          <a className="button" href={signInWay(ways.data.openid.path, location)}>
            Sign in with {ways.data.openid.name}
          </a>
        </p>
      )}
      {ways.data?.providers?.map(({ name, path }) => (
        <p key={path}>
          <a className="button" href={signInWay(path, location)}>
            Sign in with {name}
          </a>
        </p>
      ))}
      <form onSubmit={submit}>
        <label>
          Login
          <input
            required
            autoComplete="username"
            spellCheck={false}
            value={login}
            onChange={(event) => setLogin(event.target.value)}
          />
        </label>
        <label>
          Password
          <input
            required
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        <button type="submit" className="strong" disabled={signIn.isPending}>
          Sign in
        </button>
      </form>
      <Trouble error={signIn.error} />
    </>
  )
}
