import { Link } from 'react-router'
import type { Slug } from '#web/address.ts'
import { useTitle } from '#web/read/use-title.ts'

/** Said of a project that is not there, or not for the reader: which of both is nobody's business. */
export function NoProjectPage({ slug: { org, repo } }: { readonly slug: Slug }) {
  useTitle('Not found')
  return (
    <>
      <h1>
        <span className="soft">{org} / </span>
        {repo}
      </h1>
      <p>
        There is no such project here, or you may not see it. Check the address, or ask an owner of {org} to make you a
        member.
      </p>
      <p>
        <Link to="/">Go to your projects</Link>
      </p>
    </>
  )
}
