import { variablesOf } from '#config/environment.ts'
import { asText, booleanAt, textAt, unexpected } from '#config/read.ts'
import type { Trail } from '#config/trail.ts'
import { get, isNull, type MapNode, mapNode, type Node, type Place } from '#config/yaml/node.ts'
import { nodeOf, type Written } from '#config/yaml/node-of.ts'

/** One command of a phase, with what is said about it. */
export interface Command {
  readonly text: string
  readonly said: MapNode
  readonly place: Place
}

/** The commands of `pre`, `override` or `post`: texts, or texts with a mapping of modifiers. */
export function readCommands(node: Node | undefined, trail: Trail): readonly Command[] {
  if (!node || isNull(node)) return []
  const items = node.kind === 'list' ? node.items : [node]
  return items.flatMap((item) => readCommand(item, trail))
}

function readCommand(item: Node, trail: Trail): readonly Command[] {
  if (isNull(item)) return []
  if (item.kind === 'map') {
    const [first, ...rest] = item.entries
    if (!first) return []
    const [text, { place, value }] = first
    // Modifiers that were not indented below their command stand beside it.
    const said = value.kind === 'map' ? value : mapNode(new Map(rest), item)
    return [{ text, said, place }]
  }
  const text = item.kind === 'scalar' ? asText(item, trail) : unexpected(item, 'String', trail)
  return text === undefined ? [] : [{ text, said: mapNode(new Map(), item), place: item }]
}

/** How the commands of a phase become steps. */
export interface Manner {
  readonly step: 'run' | 'deploy'
  readonly when?: 'always'
  /** Put before the command's own text. */
  readonly before?: string
}

/** The step that runs a command. */
export function stepOf({ text, said, place }: Command, manner: Manner, trail: Trail): Node {
  const command = `${text}${filesOf(said)}`
  const seconds = textAt(said, 'timeout', trail)
  const environment = variablesOf(get(said, 'environment'), trail).map(({ name, value }) => [name, value] as const)
  const body: Record<string, Written | undefined> = {
    name: text.trim(),
    command: manner.before === undefined ? command : `${manner.before}\n${command}`,
    when: manner.when,
    working_directory: textAt(said, 'pwd', trail),
    no_output_timeout: seconds === undefined ? undefined : `${Number.parseInt(seconds, 10) || 600}s`,
    background: booleanAt(said, 'background', trail),
    environment: environment.length > 0 ? Object.fromEntries(environment) : undefined,
  }
  return nodeOf({ [manner.step]: body }, place)
}

/** The files of a command are shared out among the nodes, as arguments. */
function filesOf(said: MapNode): string {
  const files = get(said, 'files')
  if (files?.kind !== 'list') return ''
  const globs = files.items.map((item) => (item.kind === 'scalar' ? `"${item.text.replace(/["$`\\]/g, '\\$&')}"` : ''))
  return ` $(circleci tests glob ${globs.join(' ')} | circleci tests split)`
}
