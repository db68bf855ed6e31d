/** A line of a table for spreadsheets, without its end; null is empty. */
export const csvLine = (values: readonly (string | number | null)[]): string => values.map(cell).join(',')

/** What begins like a formula would be one in a spreadsheet: an apostrophe before it makes it a text. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
