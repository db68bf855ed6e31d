import { useState } from 'react'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { beginCommand, pushCommand } from '#web/push-command.ts'
import { useOrganization } from './use-organization.ts'

/** The command that pushes a folder to the built-in git host, ready to paste. */
export function PushFolder({ token }: { readonly token: string | undefined }) {
  const [repo, setRepo] = useState('my-project')
  const org = useOrganization()
  return (
    <section className="panel" aria-labelledby="push-folder">
      <h3 id="push-folder">Push a folder</h3>
      <p className="soft">To the git host in this server. The push makes the project, and runs it at once.</p>
      <TextField label="Name of the project" value={repo} onText={setRepo} />
      <CopiedText name="Command that pushes the folder" text={pushCommand(window.location, { token, org, repo })} />
      <details>
        <summary>The folder has no repository or configuration yet</summary>
        <p className="soft">Run this in it first: a job that says hello, and a commit.</p>
        <CopiedText name="Command that begins a repository" text={beginCommand} />
      </details>
    </section>
  )
}
