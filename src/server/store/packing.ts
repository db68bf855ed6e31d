/** Stands for no number. */
const none = 0xffff_ffff

/** Lists of equally many numbers, one after another, four bytes each; nothing where a number is too large for that. */
export function packColumns(columns: readonly Float64Array[]): Uint8Array | undefined {
  const length = columns[0]?.length ?? 0
  const packed = new Uint32Array(columns.length * length)
  for (const [at, column] of columns.entries()) {
    for (let i = 0; i < length; i += 1) {
      const value = column[i] ?? Number.NaN
      if (value >= none || value < 0) return undefined
      packed[at * length + i] = Number.isNaN(value) ? none : value
    }
  }
  return new Uint8Array(packed.buffer)
}

/** The lists again; what is no number is NaN. */
export function unpackColumns(bytes: Uint8Array, count: number): readonly Uint32Array[] {
  // A driver may answer with a part of something larger, that begins anywhere.
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const numbers = new Uint32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4)
  const length = numbers.length / count
  return Array.from({ length: count }, (_, at) => numbers.subarray(at * length, (at + 1) * length))
}

/** What a packed number stands for. */
export const unpacked = (value: number | undefined): number =>
  value === undefined || value === none ? Number.NaN : value

/** How many rows are in days of so many columns. */
export const packedLength = (days: readonly { readonly columns: Uint8Array }[], count: number): number =>
  days.reduce((sum, { columns }) => sum + columns.byteLength / 4 / count, 0)
