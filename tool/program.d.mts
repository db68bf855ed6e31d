export function buildProgram(node: string): Promise<string>
