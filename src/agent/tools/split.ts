import { byText, eachInTurn, openTurns, sortInTurnBy, sortInTurn, type Turns } from '#agent/turns.ts'

/** One thing to be run on one of several nodes, and how heavy it is. */
export interface Weighed {
  readonly item: string
  readonly weight: number
}

/** Items one after another to the nodes, in the order of their names: those of this one. */
export async function splitByName(
  items: readonly string[],
  index: number,
  total: number,
  turns: Turns = openTurns(),
): Promise<readonly string[]> {
  const mine: string[] = []
  const sorted = await sortInTurn(items, turns)
  await eachInTurn(sorted, turns, (item, i) => {
    if (i % total === index) mine.push(item)
  })
  return mine
}

/** The heaviest first, each to the node that has least so far: the same on every node. Gives those of this one, by name. */
export async function splitByWeight(
  items: readonly Weighed[],
  index: number,
  total: number,
  turns: Turns = openTurns(),
): Promise<readonly string[]> {
  const nodes = lightestFirst(total)
  const mine: string[] = []
  const heaviest = (a: Weighed, b: Weighed) => b.weight - a.weight || byText(a.item, b.item)
  const sorted = await sortInTurnBy(items, heaviest, turns)
  await eachInTurn(sorted, turns, ({ item, weight }) => {
    if (nodes.give(weight) === index) mine.push(item)
  })
  return sortInTurn(mine, turns)
}

/** The loads of nodes as a heap: with thousands of them, looking at all for each of many items takes minutes. */
function lightestFirst(total: number) {
  const heap = Array.from({ length: total }, (_, node) => ({ node, load: 0 }))
  const isBefore = (a: number, b: number) => {
    const [one, other] = [heap[a]!, heap[b]!]
    return one.load === other.load ? one.node < other.node : one.load < other.load
  }
  return {
    /** Gives a weight to the node that has least, the first of those that have the same; says which. */
    give(weight: number): number {
      const lightest = heap[0]!
      lightest.load += weight
      for (let at = 0; ;) {
        const children = [2 * at + 1, 2 * at + 2].filter((child) => child < total)
        const next = children.reduce((least, child) => (isBefore(child, least) ? child : least), at)
        if (next === at) return lightest.node
        ;[heap[at], heap[next]] = [heap[next]!, heap[at]!]
        at = next
      }
    },
  }
}
