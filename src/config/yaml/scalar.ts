import type { Scalar } from './node.ts'

const truths = /^(?:true|True|TRUE|yes|Yes|YES|on|On|ON)$/
const untruths = /^(?:false|False|FALSE|no|No|NO|off|Off|OFF)$/
const nulls = /^(?:~|null|Null|NULL|)$/
const decimal = /^[-+]?(?:0|[1-9][0-9_]*)$/
const octal = /^[-+]?0o?[0-7_]+$/
const hexadecimal = /^[-+]?0x[0-9a-fA-F_]+$/
const binary = /^[-+]?0b[01_]+$/
const float = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?$/

/**
 * What a plain scalar means. YAML 1.1, as configurations expect (`on`, `yes`), except what surprises everybody:
 * dates and `22:30` stay text.
 */
export function resolvePlain(source: string): { readonly value: Scalar; readonly text: string } {
  if (source.length > 40) return { value: source, text: source }
  if (nulls.test(source)) return { value: null, text: '' }
  if (truths.test(source)) return { value: true, text: 'true' }
  if (untruths.test(source)) return { value: false, text: 'false' }
  if (decimal.test(source)) return integer(source, Number(source.replaceAll('_', '')))
  if (octal.test(source)) return based(source, source.replace(/0o?/, ''), 8)
  if (hexadecimal.test(source)) return based(source, source.replace('0x', ''), 16)
  if (binary.test(source)) return based(source, source.replace('0b', ''), 2)
  if (float.test(source)) return fraction(Number(source.replaceAll('_', '')), source)
  return { value: source, text: source }
}

function based(source: string, digits: string, base: number) {
  const value = Number.parseInt(digits.replaceAll('_', ''), base)
  return Number.isNaN(value) ? { value: source, text: source } : integer(source, value)
}

/** A number too large to be exact (a build id, an account number) stays as it was written. */
function integer(source: string, value: number) {
  return Number.isSafeInteger(value) ? { value, text: String(value) } : { value: source, text: source }
}

/** `13.0` is a number whose text keeps its point: people write versions that way. */
function fraction(value: number, source: string) {
  if (!Number.isFinite(value)) return { value: source, text: source }
  return { value, text: Number.isSafeInteger(value) ? value.toFixed(1) : String(value) }
}
