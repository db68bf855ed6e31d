const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A number of bytes as people read it: `12 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[power]}`
}

/** An instant as Go prints it: `2026-01-02 12:00:00 +0000 UTC`. */
export const goTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} +0000 UTC`
