import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabaseUrl } from '#test/database'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const one = 'create table ones (id int primary key); insert into ones values (1);'
const two = 'select pg_sleep(0.05); create table twos (id int primary key);'

test('two processes that start at once apply each file once', async () => {
  const { url, folder } = await aStart({ '0001_one.sql': one, '0002_two.sql': two })

  const applied = await Promise.all([migrate(url, folder), migrate(url, folder), migrate(url, folder)])

  assert.deepEqual(applied.flat().sort(), ['0001_one.sql', '0002_two.sql'])
  assert.deepEqual(await migrate(url, folder), [])
})

test('a file that fails leaves nothing behind and is named', async () => {
  const { url, folder } = await aStart({ '0001_one.sql': `${one} select nothing_there;` })
  await expect(migrate(url, folder)).rejects.toThrow(/^migration 0001_one\.sql failed: column "nothing_there"/)

  await writeFile(join(folder, '0001_one.sql'), one)
  assert.deepEqual(await migrate(url, folder), ['0001_one.sql'])
})

test('an applied file that was changed or is missing stops the start', async () => {
  const { url, folder } = await aStart({ '0001_one.sql': one, '0002_two.sql': two })
  await migrate(url, folder)

  await writeFile(join(folder, '0001_one.sql'), `${one} --`)
  await expect(migrate(url, folder)).rejects.toThrow('migration 0001_one.sql was changed after it was applied')
  await rm(join(folder, '0001_one.sql'))
  await expect(migrate(url, folder)).rejects.toThrow('migration 0001_one.sql was applied to this database, but')
})

test('a database newer than the code is accepted; a file out of order is not', async () => {
  const { url, folder } = await aStart({ '0001_one.sql': one, '0003_three.sql': two })
  await migrate(url, folder)

  await rm(join(folder, '0003_three.sql'))
  assert.deepEqual(await migrate(url, folder), [])
  await writeFile(join(folder, '0002_two.sql'), 'select 1')
  await expect(migrate(url, folder)).rejects.toThrow('0002_two.sql comes before 0003_three.sql')
})

test('a table in use is waited for without holding up its users', async () => {
  const { url, folder } = await aStart({ '0001_one.sql': one })
  await migrate(url, folder)
  await writeFile(join(folder, '0002_alter.sql'), 'alter table ones add column name text;')
  const { db, close } = openDatabase({ url })
  onTestFinished(close)

  const migrating = await db.transaction().execute(async (tx) => {
    await sql`select * from ones`.execute(tx)
    const pending = migrate(url, folder)
    await sql`select pg_sleep(2.5)`.execute(tx)
    return { pending }
  })

  assert.deepEqual(await migrating.pending, ['0002_alter.sql'])
})

async function aStart(files: Record<string, string>): Promise<{ url: string; folder: string }> {
  const { url, drop } = await aDatabaseUrl()
  const folder = await mkdtemp(join(tmpdir(), 'keystall-migrations-'))
  onTestFinished(async () => {
    await drop()
    await rm(folder, { recursive: true })
  })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return { url, folder }
}
