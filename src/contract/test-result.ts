/** How a test ended, in either generation. */
export const testResults = ['success', 'failure', 'skipped', 'error'] as const
