import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase } from '#platform/db/database'

export interface TestDatabase extends Database {
  url: string
}

/** A database of its own, with all migrations applied. `close` drops it. */
export async function aDatabase(options: Omit<DatabaseOptions, 'url'> = {}): Promise<TestDatabase> {
  const { url, drop } = await aDatabaseUrl({ template: inject('templateDatabase') })
  const database = openDatabase({ ...options, url })
  return {
    ...database,
    url,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

/** Without migrations, unless a template says otherwise. */
export async function aDatabaseUrl({ template = 'template0' } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await inCluster(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('clusterUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => inCluster(`drop database if exists ${name} with (force)`) }
}

async function inCluster(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('clusterUrl') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
