/** One thing to be run on one of several nodes, and how heavy it is. */
export interface Weighed {
  readonly item: string
  readonly weight: number
}

/** Items one after another to the nodes, in the order of their names: those of this one. */
export const splitByName = (items: readonly string[], index: number, total: number): readonly string[] =>
  items.toSorted(byText).filter((_, i) => i % total === index)

/** The heaviest first, each to the node that has least so far: the same on every node. Gives those of this one, by name. */
export function splitByWeight(items: readonly Weighed[], index: number, total: number): readonly string[] {
  const loads = Array.from({ length: total }, () => 0)
  const mine: string[] = []
  for (const { item, weight } of items.toSorted((a, b) => b.weight - a.weight || byText(a.item, b.item))) {
    const lightest = loads.indexOf(Math.min(...loads))
    loads[lightest] = (loads[lightest] ?? 0) + weight
    if (lightest === index) mine.push(item)
  }
  return mine.toSorted(byText)
}

/** By code unit: the same wherever it runs. */
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
