interface Manner {
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}
export function mannerOf(command: string | undefined): Manner
export const embeddedManner: Manner
