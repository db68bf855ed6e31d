export function mannerOf(command: string | undefined): {
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}
export function buildProgram(node: string): Promise<string>
