/** The rings in a graph: each a way that leads back to where it began, found once. */
export function rings(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  const settled = new Set<string>()

  const visit = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node)
    if (at >= 0) found.push([...way.slice(at), node])
    if (at >= 0 || settled.has(node)) return
    for (const next of edges.get(node) ?? []) visit(next, [...way, node])
    settled.add(node)
  }

  for (const node of edges.keys()) visit(node, [])
  return found
}
