import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import type { Platform } from '#platform/platform'

// A watcher in a process of its own, which begins when it is told to: for tests that end it in the middle of its work.
enableCompileCache()
const [
  { pino },
  { readConfig },
  { till },
  { bitcoinChain },
  { ethereumChain },
  { usdcChain },
  { watchChain },
  { openDatabase },
  { Kept },
] = await Promise.all([
  import('pino'),
  import('#config'),
  import('#orders/till'),
  import('#payments/bitcoin/bitcoin'),
  import('#payments/ethereum/ethereum'),
  import('#payments/usdc/usdc'),
  import('#payments/chain/watch'),
  import('#platform/db/database'),
  import('#platform/http/kept'),
])
const config = readConfig(process.env)
const { db } = openDatabase({ url: config.databaseUrl ?? '', poolSize: 2 })
// It is ended before it needs the rest.
const means: Partial<Platform> = { config, db, log: pino(), kept: new Kept() }
process.send?.('ready')
await once(process, 'message')
const watched = [bitcoinChain, ethereumChain, usdcChain].find(({ coin }) => coin.method === process.env['WATCHED'])
if (watched) await watchChain(Object(means), till, watched)
