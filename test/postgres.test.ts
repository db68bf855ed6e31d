import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { Client } from 'pg'
import { freshDatabase, templateDatabase, withPostgres } from './postgres.ts'

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

test('a template is filled once, however many ask for it, and what is copied from it has what it has', async () => {
  await using server = await withPostgres()
  const name = `template_${randomBytes(8).toString('hex')}`
  let fills = 0
  const fill = async (url: string) => {
    fills++
    await ask(url, 'create table job (id integer)')
  }
  const names = await Promise.all([1, 2, 3].map(() => templateDatabase(server.url, name, fill)))
  const copies = await Promise.all(names.map((one) => freshDatabase(server.url, one)))
  for (const copy of copies) {
    assert.equal((await ask(copy.url, `select * from pg_tables where tablename = 'job'`)).length, 1)
    await copy[Symbol.asyncDispose]()
  }
  await ask(server.url, `drop database ${name}`)
  assert.deepEqual([names, fills], [[name, name, name], 1])
})

test('a server ends with the process that started it, even if that is killed', { timeout: 300_000 }, async () => {
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
