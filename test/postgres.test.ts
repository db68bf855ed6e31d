import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { Client } from 'pg'
import { freshDatabase, withPostgres } from './postgres.ts'

test('each fresh database is empty, and gone afterwards', async () => {
  await using server = await withPostgres()
  const names: string[] = []
  {
    await using one = await freshDatabase(server.url)
    await using other = await freshDatabase(server.url)
    await ask(one.url, 'create table job (id integer)')
    assert.deepEqual(await ask(other.url, `select * from pg_tables where tablename = 'job'`), [])
    names.push(...[one.url, other.url].map((url) => new URL(url).pathname.slice(1)))
  }
  const left = await ask(server.url, 'select datname from pg_database')
  assert.deepEqual(
    left.filter(({ datname }) => names.includes(String(datname))),
    [],
  )
})

test('a server ends with the process that started it, even if that is killed', { timeout: 60_000 }, async () => {
  const starter = `
    import { startPostgres } from ${JSON.stringify(import.meta.resolve('./postgres-server.ts'))}
    console.log((await startPostgres()).url)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', starter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(child.stdout, 'data')
  const client = new Client({ connectionString: String(url).trim() })
  await client.connect()
  client.on('error', () => {})
  const gone = new Promise((resolve) => client.once('end', resolve))
  child.kill('SIGKILL')
  await gone
})

async function ask(url: string, query: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}
