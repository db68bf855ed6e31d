import { addTotals, noTotals, type Totals } from '#core/insights/totals.ts'
import { usualWindow, type WindowName } from '#core/insights/window.ts'
import { projectsOfOrganization } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { OrganizationRow } from '#server/app/organizations.ts'
import { type ComparedSums, compareTotals, type Two } from './compare.ts'

/** An organization whole, and by project. */
export interface OrgSummary {
  readonly whole: ComparedSums
  readonly projects: readonly { readonly name: string; readonly compared: ComparedSums }[]
  readonly allProjects: readonly string[]
}

/** What the projects of an organization come to; those that did not run in the window are only named. */
export async function orgSummary(
  { world, insights }: App,
  organization: OrganizationRow,
  window: WindowName = usualWindow,
  names: readonly string[] = [],
): Promise<OrgSummary> {
  const rule = world.terms.insights.successRate
  const all = await projectsOfOrganization(world.db, { organization: organization.id })
  const projects: { name: string; compared: ComparedSums }[] = []
  let whole: Two<Totals> = { now: noTotals, before: noTotals }
  for (const { id, name } of all) {
    if (names.length > 0 && !names.includes(name)) continue
    const two = await insights.ask('projectTotals', id, window)
    whole = {
      now: addTotals(whole.now, two.now),
      before: whole.before && two.before && addTotals(whole.before, two.before),
    }
    if (two.now.total > 0) projects.push({ name, compared: compareTotals(two, rule) })
  }
  return { whole: compareTotals(whole, rule), projects, allProjects: all.map(({ name }) => name) }
}
