import { pino } from 'pino'
import { readConfig } from '#config'
import { till } from '#orders/till'
import { watchChain } from '#payments/chain/watch'
import { ethereumChain } from '#payments/ethereum/ethereum'
import { openDatabase } from '#platform/db/database'
import { Kept } from '#platform/http/kept'
import type { Platform } from '#platform/platform'
import { secretKeyOf } from '#platform/secrets/secret-key'

// A process of its own that reads the chain and is gone at the very moment at which it tells the order.

const { db } = openDatabase({ url: process.env['DATABASE_URL'] ?? '' })
const platform = {
  db,
  config: readConfig(process.env),
  log: pino({ level: 'silent' }),
  kept: new Kept(),
  secrets: secretKeyOf(Buffer.alloc(32, 7)),
} as Platform

await watchChain(
  platform,
  {
    ...till,
    async receive(...given) {
      await till.receive(...given)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    },
  },
  ethereumChain,
)
process.exit()
