import { Link } from 'react-router'
import type { ProjectCard } from '#contract/rh/projects.ts'
import { pipelinesPage, runPage, toSlug } from '#web/address.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'

interface Props {
  readonly project: Pick<ProjectCard, 'slug' | 'name'>
  readonly checkout_key: { readonly public_key: string }
}

/** What to do with a project that was just added. */
export function AddedProject({ project, checkout_key }: Props) {
  const slug = toSlug(project.slug)
  return (
    <div role="status">
      <p>
        Added <Link to={pipelinesPage(slug)}>{project.name}</Link>. What is pushed from now on is built;{' '}
        <Link to={runPage(slug)}>run it now</Link> to see it. If it is private, let this key read it:
      </p>
      <CopiedText name="Public key" text={checkout_key.public_key} />
    </div>
  )
}
