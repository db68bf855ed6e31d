import { join } from 'node:path'

/**
 * What tests start as `roundhouse`: the program as it was put together for this run, which is what people start, and begins
 * with a third of the processor time. Where a test file is run by itself, the sources as they are now.
 */
export const program = process.env['ROUNDHOUSE_TEST_PROGRAM'] ?? join(import.meta.dirname, '../bin/roundhouse.ts')
