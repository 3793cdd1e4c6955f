import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/db/migrate.ts'
import { startEmbedded } from '../src/platform/embedded/postgres.ts'

const template = 'keystall_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster of this run. `aDatabase` makes databases in it. */
    clusterUrl: string
    templateDatabase: string
  }
}

/** One cluster a run, and in it a template with all migrations, from which each test file gets its own database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keystall-test-'))
  const log = { info: () => {}, error: console.error }
  // These databases are thrown away, so nothing has to survive a power cut.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' }
  const embedded = await startEmbedded({ dataDir, log, settings })

  const templateUrl = new URL(embedded.url)
  templateUrl.pathname = `/${template}`
  await execute(embedded.url, `create database ${template}`)
  await migrate(templateUrl.href)

  project.provide('clusterUrl', embedded.url)
  project.provide('templateDatabase', template)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
