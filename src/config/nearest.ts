/** A hint is not worth more. */
const mostLooked = 1000

/** The known name a typo most likely meant, if any is near enough. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  if (wrong.length > 60) return undefined
  let looked = 0
  const allowed = Math.max(1, Math.floor(wrong.length / 3))
  let best: string | undefined
  let least = allowed + 1
  for (const name of known) {
    if (++looked > mostLooked) break
    if (name === wrong || Math.abs(name.length - wrong.length) >= least) continue
    const distance = distanceBetween(wrong.toLowerCase(), name.toLowerCase())
    if (distance < least) [best, least] = [name, distance]
  }
  return best
}

/** A hint to put behind a message: ` Did you mean [image]?`, or nothing. */
export function hint(wrong: string, known: Iterable<string>): string {
  const meant = nearest(wrong, known)
  return meant === undefined ? '' : `. Did you mean [${meant}]?`
}

/** Letters to insert, delete, change or swap with their neighbour. */
function distanceBetween(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = above
    above = row
  }
  return above[b.length]!
}
