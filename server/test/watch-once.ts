import { once } from 'node:events'
import { readConfig } from '#config'
import { till } from '#orders/till'
import { bitcoinChain } from '#payments/bitcoin/bitcoin'
import { watchChain } from '#payments/chain/watch'
import { startPlatform } from '#start'

// A watcher in a process of its own, which begins when it is told to: for tests that end it in the middle of its work.
const { platform } = await startPlatform(readConfig(process.env))
process.send?.('ready')
await once(process, 'message')
await watchChain(platform, till, bitcoinChain)
