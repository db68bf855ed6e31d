/** What was asked for cannot be done as it was said: the command ends with 2. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem'
}
