import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { type Address, startPostgres } from './postgres-server.ts'

/** A real PostgreSQL server: the one of this test run, or one of our own where a test file is run by itself. */
export async function withPostgres(): Promise<Address> {
  const shared = process.env['ROUNDHOUSE_TEST_POSTGRES']
  return shared === undefined ? startPostgres() : { url: shared, [Symbol.asyncDispose]: async () => {} }
}

/** An empty database on the server at `url`, dropped with everybody who is still connected when it is disposed of. */
export async function freshDatabase(url: string): Promise<Address> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await say(url, `create database ${name}`)
  const address = new URL(url)
  address.pathname = `/${name}`
  return { url: address.href, [Symbol.asyncDispose]: () => say(url, `drop database ${name} with (force)`) }
}

async function say(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
