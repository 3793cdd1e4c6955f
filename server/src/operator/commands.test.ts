import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { readConfig } from '#config'
import { newId } from '#platform/db/ids'
import { aDatabase, type TestDatabase } from '#test/database'
import { runCommand } from './commands.ts'
import { CommandMistake } from './mistake.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'keystall-operator-'))
})

afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

function run(...words: string[]): Promise<object> {
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'silent', UNSAFE_DATABASE: 'on' }
  return runCommand(readConfig(env), words)
}

/** The one line that is printed. */
async function mistake(...words: string[]): Promise<string> {
  try {
    await run(...words)
  } catch (error) {
    assert.instanceOf(error, CommandMistake, String(error))
    assert.notInclude(error.message, '\n')
    return error.message
  }
  assert.fail(`${words.join(' ')} was done`)
}

describe('a mistake is told in one line and does nothing', () => {
  test('in the file of a backup, an export or a restore', async () => {
    const nowhere = join(folder, 'no', 'such', 'folder', 'backup.gz')
    assert.match(await mistake('backup', nowhere), /backup\.gz cannot be used: ENOENT/)
    assert.match(await mistake('backup', folder), /cannot be used/)
    assert.match(await mistake('restore', nowhere), /backup\.gz cannot be used: ENOENT/)

    const text = join(folder, 'text')
    await writeFile(text, 'not an archive')
    assert.match(await mistake('restore', text), /text cannot be used: incorrect header check/)
    await writeFile(text, gzipSync('{"kind":').subarray(0, 20))
    assert.match(await mistake('restore', text), /text cannot be used/)
    await writeFile(text, gzipSync(''))
    assert.match(await mistake('restore', text), /is not a whole backup/)
    assert.match(await mistake('export', '--store', newId(), join(folder, 'export.gz')), /no store/)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /\.(gz|part)$/.test(name)),
      [],
    )
  })

  test('in words and options', async () => {
    assert.match(await mistake('backup', '--help'), /--help/)
    assert.match(await mistake('backup', 'one', 'two'), /"two" is not expected/)
    assert.match(await mistake('migrate', 'now'), /"now" is not expected/)
    assert.match(await mistake('doctor', '--all'), /--all/)
    assert.match(await mistake('demo', 'x'), /"x" is not expected/)
    assert.match(await mistake('user', 'create', '--email', 'a@b.example', '--password', '-x'), /--password/)
  })

  test('in the stores of a key', async () => {
    const words = ['--email', 'ada@example.com', '--username', 'ada', '--password', 'correct horse battery']
    await run('user', 'create', ...words)
    const key = ['key', 'create', '--owner', 'ada@example.com', '--scopes', '*']
    assert.property(await run(...key), 'apiKey')
    assert.match(await mistake(...key, '--stores', newId()), /--stores names a store that is not/)
  })
})
