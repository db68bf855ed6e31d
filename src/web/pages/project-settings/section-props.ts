import type { ProjectAccess } from '#contract/rh/project-page.ts'
import type { Slug } from '#web/address.ts'

/** What every section of the settings is given. */
export interface SectionProps {
  readonly slug: Slug
  readonly access: ProjectAccess
  /** Why nothing can be changed here; nothing where it can. */
  readonly refused: string | undefined
}
