import { useState } from 'react'
import { createUserToken } from '#contract/v1/tokens.ts'
import { callV1 } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { pushCommand } from '#web/push-command.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOrganization } from './use-organization.ts'

/** The command that pushes a folder to the built-in git host, ready to paste. */
export function PushFolder() {
  const [repo, setRepo] = useState('my-project')
  const [token, setToken] = useState<string>()
  const make = useAction(
    () => callV1(createUserToken, { body: { label: 'git push' } }),
    (made) => setToken(made.token),
  )
  const org = useOrganization()
  return (
    <section className="panel">
      <h3>Push a folder</h3>
      <p>In a folder with a git repository and a configuration file, run:</p>
      <label>
        Name of the project
        <input value={repo} spellCheck={false} onChange={(event) => setRepo(event.target.value)} />
      </label>
      <CopiedText name="Command that pushes the folder" text={pushCommand(window.location, { token, org, repo })} />
      {token === undefined ? (
        <>
          <p className="soft">
            In place of <code>&lt;token&gt;</code> goes a token of yours. The command that started the server says where
            the first one is kept.
          </p>
          <button type="button" disabled={make.isPending} onClick={() => make.mutate(undefined)}>
            Make a token and put it in
          </button>
        </>
      ) : (
        <p className="soft">The token is shown this once. It can do what you can: keep it to yourself.</p>
      )}
      <Trouble error={make.error} />
    </section>
  )
}
