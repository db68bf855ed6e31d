import type { Executor, Image } from '#core/plan.ts'
import { readEnvironment } from '#config/environment.ts'
import { readImageAuth } from './image-auth.ts'
import { asItems, asMap, asTexts, checkKeys, neededText, textAt } from '#config/read.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, type MapNode, type Node } from '#config/yaml/node.ts'

/** What can be said about a container. */
export const imageKeys = [
  'image',
  'name',
  'entrypoint',
  'command',
  'user',
  'environment',
  'auth',
  'aws_auth',
  'gcp_auth',
]

/** The containers of a job, the primary one first. */
export function readDocker(node: Node, trail: Trail): Executor | undefined {
  const items = asItems(node, trail, 'docker')
  if (node.kind === 'list' && items.length === 0) blame(trail, node, '[docker] must have at least one image')
  const images = items.map((item, index) => readImage(item, within(trail, `docker: ${index + 1}`)))
  return { type: 'docker', images: images.filter((image) => image !== undefined) }
}

function readImage(node: Node, trail: Trail): Image | undefined {
  const map = asMap(node, trail)
  if (!map) return undefined
  checkKeys(map, imageKeys, trail)
  const image = neededText(map, 'image', trail)
  const name = textAt(map, 'name', trail)
  const user = textAt(map, 'user', trail)
  const entrypoint = wordsAt(map, 'entrypoint', trail)
  const command = wordsAt(map, 'command', trail)
  const environment = readEnvironment(get(map, 'environment'), trail)
  const auth = readImageAuth(map, trail)
  if (image === undefined) return undefined
  return {
    image,
    ...(name !== undefined && { name }),
    ...(entrypoint && { entrypoint }),
    ...(command && { command }),
    ...(user !== undefined && { user }),
    environment,
    ...auth,
  }
}

/** A command line of one text is split as a shell would split plain words: `redis-server --port 7000`. */
function wordsAt(map: MapNode, key: string, trail: Trail): readonly string[] | undefined {
  const node = get(map, key)
  if (!node || isNull(node)) return undefined
  const texts = asTexts(node, trail, key)
  return node.kind === 'list' ? texts : splitWords(texts[0] ?? '')
}

function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}
