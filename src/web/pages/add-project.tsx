import { type SyntheticEvent, useState } from 'react'
import { addProject } from '#contract/rh/projects.ts'
import { callRh } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { addCommand, nameInUrl } from '#web/push-command.ts'
import { useAction } from '#web/read/use-action.ts'
import { AddedProject } from './added-project.tsx'
import { useOrganization } from './use-organization.ts'

/** Adds a project by the URL of its repository. */
export function AddProject({ token }: { readonly token: string | undefined }) {
  const [url, setUrl] = useState('')
  const [named, setName] = useState<string>()
  const organization = useOrganization()
  const name = named ?? nameInUrl(url)
  const add = useAction(() => callRh(addProject, { body: { url: url.trim(), organization, name } }))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    add.mutate(undefined)
  }
  return (
    <section className="panel" aria-labelledby="add-url">
      <h3 id="add-url">Add a git URL</h3>
      <p className="soft">Of any repository that this server can fetch. It is looked at every minute.</p>
      <form onSubmit={submit}>
        <TextField
          label="URL of the repository"
          required
          placeholder="https://host/org/repo.git"
          value={url}
          onText={setUrl}
        />
        <TextField label="Name of the project" required value={name} onText={setName} />
        <button type="submit" className="strong" disabled={add.isPending}>
          Add project
        </button>
      </form>
      <Trouble error={add.error} />
      {add.data && <AddedProject {...add.data} />}
      <details>
        <summary>As a command</summary>
        <CopiedText
          name="Command that adds the repository"
          text={addCommand(window.location, { token, url, organization, name })}
        />
      </details>
    </section>
  )
}
