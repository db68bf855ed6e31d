/** A command was called in a way it does not know; the message is printed as its error. */
export class Wrong extends Error {
  override readonly name = 'Wrong'
}
