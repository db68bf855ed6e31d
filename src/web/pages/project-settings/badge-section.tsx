import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { projectQuery } from '#web/read/queries.ts'
import { pipelinesPage } from '#web/address.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { badgePath } from './badge-path.ts'
import type { SectionProps } from './section-props.ts'

/** Pictures of how a project stands, ready to be put into a readme. */
export function BadgeSection({ slug }: SectionProps) {
  const { data: project } = useQuery(projectQuery(slug))
  const [branch, setBranch] = useState('')
  const picture = `${window.location.origin}${badgePath(slug, branch)}`
  const page = `${window.location.origin}${pipelinesPage(slug)}`
  return (
    <>
      <SectionHead
        name="Badges"
        about={
          <>
            The picture follows the branch by itself. That of a private project needs a token with the scope Status, as{' '}
            <code>?service-token=…</code> or in a header.
          </>
        }
      />
      <TextField
        label="Branch"
        hint={`Empty: ${project?.vcs_info.default_branch ?? 'the default branch'}.`}
        value={branch}
        onText={setBranch}
      />
      <p>
        <img src={badgePath(slug, branch)} alt={`How ${branch === '' ? 'the default branch' : branch} stands`} />
      </p>
      <h3>Markdown</h3>
      <CopiedText name="Badge in Markdown" text={`[![build](${picture})](${page})`} />
      <h3>HTML</h3>
      <CopiedText name="Badge in HTML" text={`<a href="${page}"><img src="${picture}" alt="build"></a>`} />
      <h3>Address of the picture</h3>
      <CopiedText name="Address of the badge" text={picture} />
    </>
  )
}
