import { type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router'
import { addProject } from '#contract/rh/projects.ts'
import { pipelinesPage, toSlug } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { nameInUrl } from '#web/push-command.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOrganization } from './use-organization.ts'

/** Adds a project by the URL of its repository. */
export function AddProject() {
  const [url, setUrl] = useState('')
  const [name, setName] = useState<string>()
  const organization = useOrganization()
  const add = useAction((body: { url: string; organization: string; name: string }) => callRh(addProject, { body }))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    add.mutate({ url: url.trim(), organization, name: name ?? nameInUrl(url) })
  }
  return (
    <section className="panel">
      <h3>Add a git URL</h3>
      <form onSubmit={submit}>
        <label>
          URL of the repository
          <input
            required
            value={url}
            spellCheck={false}
            placeholder="https://host/org/repo.git"
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <label>
          Name of the project
          <input
            required
            value={name ?? nameInUrl(url)}
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button type="submit" disabled={add.isPending}>
          Add project
        </button>
      </form>
      <Trouble error={add.error} />
      {add.data && (
        <div role="status">
          <p>
            Added <Link to={pipelinesPage(toSlug(add.data.project.slug))}>{add.data.project.name}</Link>. If it is
            private, let this key read it:
          </p>
          <CopiedText name="Public key" text={add.data.checkout_key.public_key} />
        </div>
      )}
    </section>
  )
}
