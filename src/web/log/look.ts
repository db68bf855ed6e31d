/** A colour of a log: one of the sixteen that have names, or an exact one. */
export type Colour =
  | { readonly kind: 'named'; readonly index: number }
  | { readonly kind: 'exact'; readonly css: string }

/** How a run of characters looks; what is absent is as usual. */
export interface Look {
  readonly front?: Colour
  readonly back?: Colour
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
  readonly inverse?: true
}

/** Nothing special. */
export const plain: Look = {}

type Change = (look: Look) => Look

const without =
  (...names: readonly (keyof Look)[]): Change =>
  (look) =>
    Object.fromEntries(Object.entries(look).filter(([name]) => !names.includes(name as keyof Look)))

const switches: Readonly<Record<number, Change>> = {
  0: () => plain,
  1: (look) => ({ ...look, bold: true }),
  2: (look) => ({ ...look, dim: true }),
  3: (look) => ({ ...look, italic: true }),
  4: (look) => ({ ...look, underline: true }),
  7: (look) => ({ ...look, inverse: true }),
  22: without('bold', 'dim'),
  23: without('italic'),
  24: without('underline'),
  27: without('inverse'),
  39: without('front'),
  49: without('back'),
}

/** What the numbers of one SGR sequence (`ESC [ 1 ; 31 m`) make of a look; unknown numbers change nothing. */
export function changeLook(before: Look, numbers: readonly number[]): Look {
  let look = before
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at]!
    if (code === 38 || code === 48) {
      const { colour, used } = extended(numbers.slice(at + 1))
      if (colour) look = { ...look, [code === 38 ? 'front' : 'back']: colour }
      at += used
    } else {
      look = switches[code]?.(look) ?? named(look, code)
    }
  }
  return look
}

function named(look: Look, code: number): Look {
  const colour = (index: number): Colour => ({ kind: 'named', index })
  if (code >= 30 && code <= 37) return { ...look, front: colour(code - 30) }
  if (code >= 40 && code <= 47) return { ...look, back: colour(code - 40) }
  if (code >= 90 && code <= 97) return { ...look, front: colour(code - 82) }
  if (code >= 100 && code <= 107) return { ...look, back: colour(code - 92) }
  return look
}

/** After 38 or 48: `5 ; n` is one of 256, `2 ; r ; g ; b` any. */
function extended([kind, ...rest]: readonly number[]): { readonly colour?: Colour; readonly used: number } {
  if (kind === 5) return { colour: ofPalette(byte(rest[0])), used: 2 }
  if (kind === 2) return { colour: exact(byte(rest[0]), byte(rest[1]), byte(rest[2])), used: 4 }
  return { used: 1 }
}

const byte = (value: number | undefined): number => Math.min(255, Math.max(0, value ?? 0))

const exact = (red: number, green: number, blue: number): Colour => ({
  kind: 'exact',
  css: `rgb(${red} ${green} ${blue})`,
})

function ofPalette(index: number): Colour {
  if (index < 16) return { kind: 'named', index }
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return exact(grey, grey, grey)
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const cube = index - 16
  return exact(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6))
}
