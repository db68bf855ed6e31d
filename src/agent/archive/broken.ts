/** An archive that is not what its bytes say, or not all of it. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive'
}
