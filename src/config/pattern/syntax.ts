/** Tells whether a character, by its code point, belongs. */
export type CharTest = (code: number) => boolean

/** A pattern as a tree. What is captured does not matter here, so groups leave no trace. */
export type Syntax =
  | { readonly type: 'empty' }
  | { readonly type: 'char'; readonly test: CharTest }
  | { readonly type: 'sequence'; readonly parts: readonly Syntax[] }
  | { readonly type: 'choice'; readonly options: readonly Syntax[] }
  | { readonly type: 'repeat'; readonly part: Syntax; readonly least: number; readonly most: number }
  | { readonly type: 'assert'; readonly what: Assertion }
  | { readonly type: 'look'; readonly part: Syntax; readonly isBehind: boolean; readonly isNegative: boolean }

/** What can be asked of a place in a text, without reading on. */
export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'boundary' | 'no-boundary'

/** A pattern that cannot be used, and why. */
export class BadPattern extends Error {
  override readonly name = 'BadPattern'
}
