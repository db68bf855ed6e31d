import { CopiedText } from '#web/parts/copied-text.tsx'

/** The third way to bring a project here: a provider that tells of pushes. */
export function ConnectProvider() {
  const command = `curl -X POST -H "Service-Token: $TOKEN" ${window.location.origin}/api/rh/v1/project/<provider>/<organization>/<repository>/receivers`
  return (
    <section className="panel">
      <h3>Connect a provider</h3>
      <p>
        Add the repository by its URL: it is looked at every minute. To build with every push at once, make an address
        for the provider&apos;s webhook. It comes with its secret, which is shown once; enter both at GitHub, Gitea,
        Forgejo, Bitbucket or GitLab.
      </p>
      <CopiedText name="Command that makes an address for a webhook" text={command} />
    </section>
  )
}
