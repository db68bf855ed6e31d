/** Reads a size as an operator writes it: `0`, `512M`, `20G`. */
export function readSize(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([MGT]?)$/.exec(text) ?? []
  if (digits === undefined || (unit === '' && Number(digits) !== 0))
    throw new Error('it must be a size such as 512M or 20G, or 0')
  return Number(digits) * 1024 ** ({ M: 2, G: 3, T: 4 }[unit ?? ''] ?? 0)
}
