import { graphlib, layout } from '@dagrejs/dagre'

/** Something with a place in the order of others. */
export interface Dependent {
  readonly id: string
  readonly dependencies: readonly string[]
  /** In pixels. */
  readonly height: number
}

/** Where a thing is drawn, by its upper left corner. */
export interface Box {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly height: number
}

/** A line from a thing to what waits for it. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** Of an SVG path. */
  readonly path: string
}

/** A drawing of things and their order. */
export interface Drawing {
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
  readonly width: number
  readonly height: number
}

/** The width of every box. */
export const boxWidth = 208

// dagre lays 50 jobs of two needs each out in 0.1 s, 150 in 0.5 s and 500 in 11 s, in which the page would not answer.
const mostThorough = 100
const columnGap = 48
const rowGap = 12

/** Draws things from left to right, each right of everything that it waits for. */
export function drawingOf(things: readonly Dependent[]): Drawing {
  const known = new Set(things.map(({ id }) => id))
  const ours = things.map((thing) => ({
    ...thing,
    dependencies: thing.dependencies.filter((need) => known.has(need) && need !== thing.id),
  }))
  const boxes = ours.length > mostThorough ? inColumns(ours) : byDagre(ours)
  const byId = new Map(boxes.map((box) => [box.id, box]))
  const edges = ours.flatMap(({ id: to, dependencies }) => dependencies.map((from) => ({ from, to })))
  return {
    boxes,
    edges: edges.map(({ from, to }) => ({ from, to, path: curve(byId.get(from)!, byId.get(to)!) })),
    width: Math.max(0, ...boxes.map(({ x }) => x + boxWidth)),
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)),
  }
}

function byDagre(things: readonly Dependent[]): readonly Box[] {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: rowGap, edgesep: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, height } of things) graph.setNode(id, { width: boxWidth, height })
  for (const { id, dependencies } of things) for (const need of dependencies) graph.setEdge(need, id)
  layout(graph)
  return things.map(({ id, height }) => {
    const { x, y } = graph.node(id) as { readonly x: number; readonly y: number }
    return { id, x: x - boxWidth / 2, y: y - height / 2, height }
  })
}

/** The quick way: each in the first column that comes after all it needs, near the middle of these. */
function inColumns(things: readonly Dependent[]): readonly Box[] {
  const byId = new Map(things.map((thing) => [thing.id, thing]))
  const depths = new Map<string, number>()
  const depthOf = (thing: Dependent): number => {
    const before = depths.get(thing.id)
    if (before !== undefined) return before
    // Stands while its needs are measured, so that a ring, which no server should send, ends.
    depths.set(thing.id, 0)
    const depth = Math.max(-1, ...thing.dependencies.map((id) => depthOf(byId.get(id)!))) + 1
    depths.set(thing.id, depth)
    return depth
  }
  const columns = Map.groupBy(things, depthOf)
  const boxes = new Map<string, Box>()
  for (const depth of [...columns.keys()].toSorted((one, other) => one - other)) {
    const middle = ({ dependencies }: Dependent) =>
      dependencies.reduce((sum, id) => sum + (boxes.get(id)?.y ?? 0), 0) / Math.max(1, dependencies.length)
    let y = 0
    for (const { id, height } of (columns.get(depth) ?? []).toSorted((one, other) => middle(one) - middle(other))) {
      boxes.set(id, { id, x: depth * (boxWidth + columnGap), y, height })
      y += height + rowGap
    }
  }
  return [...boxes.values()]
}

function curve(from: Box, to: Box): string {
  const [x1, y1] = [from.x + boxWidth, from.y + from.height / 2]
  const [x2, y2] = [to.x, to.y + to.height / 2]
  const bend = Math.max(20, (x2 - x1) / 2)
  const round = (value: number) => Math.round(value * 10) / 10
  return `M${round(x1)} ${round(y1)}C${round(x1 + bend)} ${round(y1)} ${round(x2 - bend)} ${round(y2)} ${round(x2)} ${round(y2)}`
}
