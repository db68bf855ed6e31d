import type { Kysely, Transaction } from 'kysely'
import type { InsightTables } from './insight-tables.ts'
import type { LogTables } from './log-tables.ts'
import type { NewerTables } from './newer-tables.ts'
import type { TestTables } from './test-tables.ts'
import type { OutgoingSchema } from './outgoing-schema.ts'
import type { ProviderTables } from './provider-tables.ts'
import type { PeopleTables } from './people-tables.ts'
import type { ProjectTables } from './project-tables.ts'
import type { QueueTables } from './queue-tables.ts'
import type { RunTables } from './run-tables.ts'
import type { StorageSchema } from './storage-schema.ts'

/*
 * Every column is text, integer, real or bytes: what both databases mean the same way.
 * Ids are UUIDs of version 7, times ISO instants, booleans 0 and 1, lists and maps JSON text.
 */

export interface Schema
  extends
    OutgoingSchema,
    StorageSchema,
    TestTables,
    LogTables,
    ProviderTables,
    InsightTables,
    NewerTables,
    PeopleTables,
    ProjectTables,
    RunTables,
    QueueTables {
  migrations: { name: string; applied_at: string }
}

/** May read, and may be a transaction. */
export type Db = Kysely<Schema>
/** A transaction: functions that write take this, so that nobody can call them outside one. */
export type Tx = Transaction<Schema>
