import { type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router'
import { addProject } from '#contract/rh/projects.ts'
import { createReceiver } from '#contract/rh/receivers.ts'
import { projectSettingsPage, toSlug } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { connectCommand, nameInUrl } from '#web/push-command.ts'
import { useAction } from '#web/read/use-action.ts'
import { NewReceiver } from './receivers.tsx'
import { useOrganization } from './use-organization.ts'

const providers = {
  'provider-a': 'GitHub, Gitea or Forgejo',
  'provider-b': 'Bitbucket',
  'provider-c': 'GitLab',
} as const

/** The third way to bring a project here: a provider that tells of every push. */
export function ConnectProvider({ token }: { readonly token: string | undefined }) {
  const [provider, setProvider] = useState<keyof typeof providers>('provider-a')
  const [url, setUrl] = useState('')
  const organization = useOrganization()
  const name = nameInUrl(url)
  const connect = useAction(async () => {
    const { project } = await callRh(addProject, { body: { url: url.trim(), organization, name, provider } })
    return { project, receiver: await callRh(createReceiver, { params: { ...toSlug(project.slug) } }) }
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    connect.mutate(undefined)
  }
  return (
    <section className="panel" aria-labelledby="connect-provider">
      <h3 id="connect-provider">Connect a provider</h3>
      <p className="soft">It tells of every push and pull request at once, and commits there show how they did.</p>
      <form onSubmit={submit}>
        <ChoiceField label="Provider" value={provider} choices={providers} onChoice={setProvider} />
        <TextField
          label="URL at the provider"
          required
          placeholder="https://host/org/repo.git"
          value={url}
          onText={setUrl}
        />
        <button type="submit" className="strong" disabled={connect.isPending}>
          Connect
        </button>
      </form>
      <Trouble error={connect.error} />
      {connect.data && (
        <div role="status">
          <NewReceiver receiver={connect.data.receiver} />
          <p>
            What comes of it, and a token for commit statuses, is in the{' '}
            <Link to={projectSettingsPage(toSlug(connect.data.project.slug), 'connection')}>
              connection of {connect.data.project.name}
            </Link>
            .
          </p>
        </div>
      )}
      <details>
        <summary>As a command</summary>
        <CopiedText
          name="Command that connects the repository"
          text={connectCommand(window.location, { token, url, organization, name, provider })}
        />
      </details>
    </section>
  )
}
