import { usualWindow, type WindowName } from '#core/insights/window.ts'
import { projectsOfOrganization } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { OrganizationRow } from '#server/app/organizations.ts'
import { breathe, compare, type Compared, readWindows, together, type TwoWindows } from './summaries.ts'

/** An organization whole, and by project. */
export interface OrgSummary {
  readonly whole: Compared
  readonly projects: readonly { readonly name: string; readonly compared: Compared }[]
  readonly allProjects: readonly string[]
}

/** What the projects of an organization come to; those that did not run in the window are only named. */
export async function orgSummary(
  app: App,
  organization: OrganizationRow,
  window: WindowName = usualWindow,
  names: readonly string[] = [],
): Promise<OrgSummary> {
  const all = await projectsOfOrganization(app.world.db, { organization: organization.id })
  const projects: { name: string; compared: Compared }[] = []
  const runs: TwoWindows[] = []
  for (const project of all) {
    if (names.length > 0 && !names.includes(project.name)) continue
    const two = together([...(await readWindows(app, project, window, undefined)).workflows.values()])
    runs.push(two)
    if (two.now.length > 0) projects.push({ name: project.name, compared: compare(app, two, window) })
    await breathe()
  }
  return {
    whole: compare(app, together(runs), window),
    projects,
    allProjects: all.map(({ name }) => name),
  }
}
