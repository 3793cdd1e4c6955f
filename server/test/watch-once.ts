import { once } from 'node:events'
import { enableCompileCache } from 'node:module'

// A watcher in a process of its own, which begins when it is told to: for tests that end it in the middle of its work.
enableCompileCache()
const [{ readConfig }, { till }, { bitcoinChain }, { watchChain }, { startPlatform }] = await Promise.all([
  import('#config'),
  import('#orders/till'),
  import('#payments/bitcoin/bitcoin'),
  import('#payments/chain/watch'),
  import('#start'),
])
const { platform } = await startPlatform(readConfig(process.env))
process.send?.('ready')
await once(process, 'message')
await watchChain(platform, till, bitcoinChain)
