import { asTexts } from '#config/read.ts'
import { type Trail, within } from '#config/trail.ts'
import { nameFilterPasses, type Ref } from '#config/workflows/filters.ts'
import { get, type MapNode, type Node } from '#config/yaml/node.ts'
import { nodeOf } from '#config/yaml/node-of.ts'
import { readCommands, stepOf } from './commands.ts'

/** The first deployment that is meant for this pipeline; the others do not run (§A16). */
export function deploymentFor(
  section: Node | undefined,
  ref: Ref,
  owner: string | undefined,
  trail: Trail,
): MapNode | undefined {
  if (section?.kind !== 'map') return undefined
  for (const { value } of section.entries.values()) {
    if (value.kind === 'map' && isMeant(value, ref, owner, trail)) return value
  }
  return undefined
}

function isMeant(deployment: MapNode, { branch, tag }: Ref, owner: string | undefined, trail: Trail): boolean {
  const wanted = get(deployment, 'owner')
  if (wanted?.kind === 'scalar' && owner !== undefined && wanted.text !== owner) return false
  const [branches, tags] = [get(deployment, 'branch'), get(deployment, 'tag')]
  if (branch !== undefined)
    return branches !== undefined && nameFilterPasses({ only: asTexts(branches, trail) }, branch, trail)
  return tag !== undefined && tags !== undefined && nameFilterPasses({ only: asTexts(tags, trail) }, tag, trail)
}

/** The steps of a deployment: on the first node, and only if everything before succeeded. */
export function deploymentSteps(deployment: MapNode, outer: Trail): readonly Node[] {
  const trail = within(outer, 'deployment')
  const app = get(get(deployment, 'heroku'), 'appname')
  const push =
    app?.kind === 'scalar' ? [`git push -f git@heroku.com:${app.text}.git $CIRCLE_SHA1:refs/heads/master`] : []
  return [
    ...push.map((command) => nodeOf({ deploy: { name: command, command } }, deployment)),
    ...readCommands(get(deployment, 'commands'), trail).map((command) => stepOf(command, { step: 'deploy' }, trail)),
  ]
}
