/** A list of numbers to which more are added. */
export function growing() {
  let room = new Float64Array(64)
  let length = 0
  const reserve = (more: number): void => {
    if (length + more <= room.length) return
    const larger = new Float64Array(Math.max(length + more, 2 * length))
    larger.set(room)
    room = larger
  }
  return {
    /** Makes room for so many more at once: making it piece by piece costs more than filling it. */
    reserve,
    push: (value: number): void => {
      if (length === room.length) reserve(1)
      room[length] = value
      length += 1
    },
    /** Room for so many, which the caller fills. */
    take: (count: number): Float64Array => {
      reserve(count)
      length += count
      return room.subarray(length - count, length)
    },
    all: (): Float64Array => room.subarray(0, length),
  }
}

/** The places of values, the least value first and equal ones as they are; nothing where they stand like that already. */
export function orderOf(values: Float64Array): Uint32Array | undefined {
  let at = 1
  while (at < values.length && (values[at] ?? 0) >= (values[at - 1] ?? 0)) at += 1
  if (at >= values.length) return undefined
  return Uint32Array.from(values, (_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
}

/** The values at some places. */
export function pick(values: Float64Array, places: Uint32Array): Float64Array {
  const picked = new Float64Array(places.length)
  for (let i = 0; i < picked.length; i += 1) picked[i] = values[places[i] ?? 0] ?? Number.NaN
  return picked
}

/** The places of each of the whole numbers from 0 up to `count`. */
export function placesOf(values: Float64Array, count: number): readonly Uint32Array[] {
  const lengths = new Uint32Array(count)
  for (let i = 0; i < values.length; i += 1) lengths[values[i] ?? 0] = (lengths[values[i] ?? 0] ?? 0) + 1
  const places = Array.from(lengths, (length) => new Uint32Array(length))
  const filled = new Uint32Array(count)
  for (let i = 0; i < values.length; i += 1) {
    const of = values[i] ?? 0
    const at = filled[of] ?? 0
    filled[of] = at + 1
    const list = places[of]
    if (list) list[at] = i
  }
  return places
}

/** Texts of which many are the same, and the place of each; -1 for those that are not wanted. */
export function dictionary(wanted?: ReadonlySet<string>) {
  const texts: string[] = []
  const places = new Map<string, number>()
  return {
    texts: texts as readonly string[],
    at: (text: string): number => {
      const known = places.get(text)
      if (known !== undefined) return known
      const place = wanted === undefined || wanted.has(text) ? texts.push(text) - 1 : -1
      places.set(text, place)
      return place
    },
  }
}
