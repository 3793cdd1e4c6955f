import { assert, test } from 'vitest'
import { useServer } from '#test/harness'
import { examine } from './doctor.ts'

// Nobody listens on port 1, and `.invalid` is nobody's.
const server = useServer({
  hasJobs: false,
  env: {
    API_URL: 'http://127.0.0.1:1',
    STORE_DOMAIN: 'stores.invalid',
    SMTP_URL: 'smtp://127.0.0.1:1',
    DEMO: 'off',
  },
})

test('each trouble is named, with what to do about it', async () => {
  const { platform, database } = server
  const running = { platform, database, databaseUrl: database.url, migrated: [], stop: async () => {} }
  const told = await examine(running)
  assert.include(told, { database: 'ok', clock: 'ok', storage: 'ok', migrationsApplied: 0 })
  // The database of the tests may lose everything.
  assert.match(Object(told)['database settings'], /fsync.* on$/)
  assert.match(Object(told)['dns'], /^demo\.stores\.invalid cannot be found: set A or AAAA records/)
  assert.match(Object(told)['mail'], /^SMTP_URL does not work \((ECONNREFUSED|ESOCKET)\): check its host/)
  assert.match(Object(told)['public address'], /^http:\/\/127\.0\.0\.1:1\/health is not Keystall/)
  assert.match(Object(told)['https'], /Caddyfile/)
})
