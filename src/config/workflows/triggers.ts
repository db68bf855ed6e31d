import { readCron } from '#core/cron.ts'
import type { PlannedSchedule } from '#core/plan.ts'
import { asItems, asMap, checkKeys, neededText } from '#config/read.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, type Node } from '#config/yaml/node.ts'
import { readNameFilter } from './filters.ts'

/** Reads the `triggers` of a workflow: the times at which it runs, and then only. */
export function readTriggers(workflow: string, node: Node | undefined, outer: Trail): readonly PlannedSchedule[] {
  if (!node || isNull(node)) return []
  const trail = within(within(outer, `workflow: ${workflow}`), 'triggers')
  return asItems(node, trail).flatMap((item) => {
    const map = asMap(item, trail)
    if (!map) return []
    checkKeys(map, ['schedule'], trail)
    const schedule = get(map, 'schedule')
    if (!schedule) {
      blame(trail, map, 'required key [schedule] not found')
      return []
    }
    return readSchedule(workflow, schedule, trail)
  })
}

function readSchedule(workflow: string, node: Node, trail: Trail): readonly PlannedSchedule[] {
  const map = asMap(node, trail, 'schedule')
  if (!map) return []
  checkKeys(map, ['cron', 'filters'], trail)
  const cron = neededText(map, 'cron', trail)
  const times = cron === undefined ? undefined : readCron(cron)
  if (typeof times === 'string') blame(trail, get(map, 'cron'), `Cannot use [cron]: ${times}`)
  const filters = get(map, 'filters')
  const filterMap = filters && !isNull(filters) ? asMap(filters, trail, 'filters') : undefined
  if (filterMap) checkKeys(filterMap, ['branches'], trail)
  const { only, ignore } = readNameFilter(get(filterMap, 'branches'), trail) ?? {}
  if (cron === undefined) return []
  return [{ workflow, cron: cron.trim(), branches: { ...(only && { only }), ...(ignore && { ignore }) } }]
}
