import { isUtf8 } from 'node:buffer'

/*
 * Names of files are bytes, and mostly UTF-8. A byte of one that is not stands in our texts as half of a surrogate pair
 * (0xdc00 and the byte), which no text has otherwise: so different names are different texts, and every name can be given back.
 */

const escape = 0xdc00

/** A name as a text, from which `bytesOf` gives back its bytes. */
export function nameIn(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text
  let name = ''
  for (let at = 0; at < bytes.length;) {
    const letter = bytes.subarray(at, at + lengthOf(bytes[at]!))
    const isLetter = isUtf8(letter)
    name += isLetter ? letter.toString('utf8') : String.fromCharCode(escape + bytes[at]!)
    at += isLetter ? letter.length : 1
  }
  return name
}

const lengthOf = (first: number): number => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)

/** The bytes of a name. */
export function bytesOf(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name)
  return Buffer.concat(Array.from(name, (letter) => escapedIn(letter) ?? Buffer.from(letter)))
}

const escapedIn = (letter: string): Buffer | undefined => {
  const code = letter.length === 1 ? letter.charCodeAt(0) - escape : -1
  return code >= 0x80 && code <= 0xff ? Buffer.of(code) : undefined
}

/** A name as the file system takes it. */
export const pathOf = (name: string): string | Buffer => (name.isWellFormed() ? name : bytesOf(name))

/** A name for where only texts can be: bytes that are none are written as `%FF`. */
export const textOf = (name: string): string =>
  name.isWellFormed()
    ? name
    : Array.from(name, (letter) => {
        const byte = escapedIn(letter)
        return byte ? `%${byte.toString('hex').toUpperCase()}` : letter
      }).join('')
