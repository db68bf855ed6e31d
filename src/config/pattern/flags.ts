import { type Flags, peek, type Reader, take } from './reader.ts'
import { BadPattern } from './syntax.ts'

/** Reads the letters of `(?i)`, `(?i-s:` and their like, and switches what they mean. Gives the sign that ends them. */
export function readFlags(reader: Reader): ')' | ':' {
  let isOn = true
  for (let char = take(reader); ; char = take(reader)) {
    if (char === ')' || char === ':') return char
    if (char === '-') {
      if (reader.dialect === 're2' && (!isOn || !/[a-zA-Z]/.test(peek(reader))))
        throw new BadPattern('it switches off nothing')
      isOn = false
    } else reader.flags = { ...reader.flags, ...flagOf(reader, char, isOn) }
  }
}

function flagOf({ dialect }: Reader, char: string, isOn: boolean): Partial<Flags> {
  if (char === 'i') return { ignoreCase: isOn }
  if (char === 's') return { dotAll: isOn }
  if (char === 'm') return { multiline: isOn }
  // Greed, which does not matter to a whole match, or Unicode, which is always on.
  if (char === 'U' || (dialect === 'java' && /[ud]/.test(char))) return {}
  if (char === 'x' && dialect === 'java') return { comments: isOn }
  throw new BadPattern(`it has an unknown flag ${char}`)
}
