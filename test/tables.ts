/*
 * Databases with all their tables and nothing in them, made once and copied for every test.
 * Making the tables takes ten times as long as copying them in a file, and thirty times on a server.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Instant } from '#kit/brand.ts'
import { openStore } from '#server/store/open.ts'
import { templateDatabase } from './postgres.ts'

let file: Promise<Uint8Array> | undefined
let template: Promise<string> | undefined

/** Puts a database with tables that were made at `at` into a file. */
export async function putTables(path: string, at: Instant): Promise<void> {
  file ??= fileWithTables(at)
  await writeFile(path, await file)
}

/** The name of a database with tables that were made at `at`, to be copied on the server of this process at `url`. */
export function templateWithTables(url: string, at: Instant): Promise<string> {
  template ??= templateDatabase(url, 'with_tables', (where) => makeTables(where, at))
  return template
}

async function fileWithTables(at: Instant): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-tables-'))
  try {
    const path = join(folder, 'tables.db')
    await makeTables(path, at)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function makeTables(where: string, at: Instant): Promise<void> {
  const db = await openStore(where, () => at)
  await db.destroy()
}
