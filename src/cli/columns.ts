/** A table as text: columns as wide as their widest cell, nothing behind the last. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((word, i) => Math.max(word.length, ...rows.map((row) => row[i]?.length ?? 0)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
