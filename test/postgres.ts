import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { type Address, startPostgres } from './postgres-server.ts'

/** A real PostgreSQL server: the one of this test run, or one of our own where a test file is run by itself. */
export async function withPostgres(): Promise<Address> {
  const shared = process.env['ROUNDHOUSE_TEST_POSTGRES']
  return shared === undefined ? startPostgres() : { url: shared, [Symbol.asyncDispose]: async () => {} }
}

/** An empty database on the server at `url`, dropped with everybody who is still connected when it is disposed of. */
export async function freshDatabase(url: string, template = 'template1'): Promise<Address> {
  const name = `test_${randomBytes(8).toString('hex')}`
  // Copying files is twice as quick as copying pages, as nothing here waits for a disk.
  await say(url, `create database ${name} template ${template} strategy file_copy`)
  return { url: urlOf(url, name), [Symbol.asyncDispose]: () => say(url, `drop database ${name} with (force)`) }
}

/**
 * The name of a database that others are copied from, on the server at `url`: `fill` makes what is in it, once for all
 * processes that ask.
 */
export async function templateDatabase(
  url: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  await asked(url, async (client) => {
    // Whoever comes second waits for the first. The lock ends with the connection.
    await client.query(`select pg_advisory_lock(hashtext('${name}'))`)
    const { rowCount } = await client.query(`select from pg_database where datname = '${name}'`)
    if (rowCount !== 0) return
    await client.query(`drop database if exists ${name}_half`)
    await client.query(`create database ${name}_half`)
    await fill(urlOf(url, `${name}_half`))
    await client.query(`alter database ${name}_half rename to ${name}`)
  })
  return name
}

function urlOf(server: string, database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.href
}

const pools = new Map<string, Pool>()

/**
 * Over a connection that is kept for the next database: each new one is a process of the server, and those were half of what
 * a database costs. It keeps nobody from ending.
 */
async function say(url: string, statement: string): Promise<void> {
  let pool = pools.get(url)
  if (pool === undefined) {
    pool = new Pool({ connectionString: url, max: 4, allowExitOnIdle: true })
    // A server of our own ends before we do.
    pool.on('error', () => {})
    pools.set(url, pool)
  }
  await pool.query(statement)
}

async function asked(url: string, ask: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await ask(client)
  } finally {
    await client.end()
  }
}
