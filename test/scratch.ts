import { tmpdir } from 'node:os'

/**
 * Where tests put databases and repositories that are gone with the test: in memory where the run has found room for them
 * there (`tool/scratch.ts`), otherwise with everything else that passes.
 */
export const scratch = (): string => process.env['ROUNDHOUSE_TEST_SCRATCH'] ?? tmpdir()
