import { migrate } from '../../server/src/platform/db/migrate.ts'

// A process of its own that migrates the database it is given, and can be killed in the middle of it.

process.send?.('begins')
const [url = '', folder] = process.argv.slice(2)
await migrate(url, folder || undefined)
process.exit()
