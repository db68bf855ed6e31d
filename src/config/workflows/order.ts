/** Items in dependency order, otherwise as they came; or those that wait for each other in a ring. */
export type Order = { readonly order: readonly number[] } | { readonly ring: readonly number[] }

/**
 * Puts every item behind what it needs. `needs[i]` holds the indexes that item `i` needs.
 * No recursion: a chain of thousands of jobs must not end the stack.
 */
export function dependencyOrder(needs: readonly (readonly number[])[]): Order {
  const order: number[] = []
  const state = needs.map((): 'new' | 'open' | 'done' => 'new')
  for (const first of needs.keys()) {
    const stack = [first]
    while (stack.length > 0) {
      const item = stack.at(-1)!
      if (state[item] === 'new') {
        state[item] = 'open'
        for (const need of [...needs[item]!].reverse()) {
          if (state[need] === 'open') return { ring: ringOf(needs, need) }
          if (state[need] === 'new') stack.push(need)
        }
        continue
      }
      stack.pop()
      if (state[item] === 'open') {
        state[item] = 'done'
        order.push(item)
      }
    }
  }
  return { order }
}

/** The items that can be reached from one of a ring and lead back to it, in their own order. */
function ringOf(needs: readonly (readonly number[])[], member: number): readonly number[] {
  const back = needs.map((): number[] => [])
  for (const [item, list] of needs.entries()) for (const need of list) back[need]!.push(item)
  const forth = reach(needs, member)
  return [...reach(back, member)].filter((item) => forth.has(item)).sort((a, b) => a - b)
}

function reach(next: readonly (readonly number[])[], from: number): ReadonlySet<number> {
  const reached = new Set<number>()
  const waiting = [...next[from]!]
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (reached.has(item)) continue
    reached.add(item)
    for (const each of next[item]!) waiting.push(each)
  }
  return reached
}
