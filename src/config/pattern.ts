const longestPattern = 1000
const longestText = 1000

/** Why a pattern cannot be used, if so. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `it has more than ${longestPattern} characters`
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether the whole of a text matches a Java-style pattern. What cannot be used matches nothing. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > longestText || patternProblem(pattern) !== undefined) return false
  return new RegExp(`^(?:${pattern})$`, 'u').test(text)
}
