import { withClient } from './connection.ts'

const versionMin = 15

/** Stops the start, with one line, on a database that could lose what it has acknowledged, or is too old. */
export async function checkDurability(url: string, { isUnsafeAllowed = false } = {}): Promise<void> {
  const settings = await selectSettings(url)
  const version = Math.floor(Number(settings.get('server_version_num')) / 10_000)
  if (version < versionMin) {
    throw new Error(`the database is PostgreSQL ${version}; Keystall needs ${versionMin} or newer`)
  }

  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => settings.get(name) === 'off')
  if (off.length > 0 && !isUnsafeAllowed) {
    throw new Error(`the database has ${off.join(', ')} switched off and could lose orders it has confirmed`)
  }
}

async function selectSettings(url: string): Promise<Map<string, string>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [['fsync', 'full_page_writes', 'synchronous_commit', 'server_version_num']],
    )
    return new Map(rows.map(({ name, setting }) => [name, setting]))
  })
}
