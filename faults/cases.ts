import { abuse, abuseFromEverywhere } from './abuse.ts'
import { advisories } from './advisories.ts'
import { badInput } from './bad-input.ts'
import { answersCut } from './answers-cut.ts'
import { checker } from './checker.ts'
import { clockShifted } from './clock-shifted.ts'
import { connectionsTerminated } from './connections-terminated.ts'
import { databaseCut } from './database-cut.ts'
import { databaseSlow } from './database-slow.ts'
import { databaseKilled } from './database-killed.ts'
import { databaseStopped } from './database-stopped.ts'
import { jobsDying } from './jobs-dying.ts'
import { load } from './load.ts'
import { secretsLogged } from './secrets-logged.ts'
import { migrationsKilled } from './migrations-killed.ts'
import { networkCut } from './network-cut.ts'
import { serverKilled } from './server-killed.ts'
import { serverThrows } from './server-throws.ts'
import { serverStopped } from './server-stopped.ts'
import { smtpAway } from './smtp-away.ts'
import { storageAway } from './storage-away.ts'
import type { Case } from './tools/case.ts'
import { together, underLoad } from './tools/under-load.ts'
import { twoServers } from './two-servers.ts'
import { databaseDiskFull, uploadsDiskFull, walDiskFull } from './disk-full.ts'
import { upgradeKilled } from './upgrade-killed.ts'
import { uploadsCut } from './uploads-cut.ts'

/** Several faults in one world: starting one and letting it settle takes most of the time. */
const short: Case = {
  name: 'short',
  forms: ['short'],
  run: (options) => together([serverKilled, databaseKilled, connectionsTerminated], { ...options, isShort: true }),
}

/** In the order in which they run. A case that is not `underLoad` answers lines of its own. */
export const cases: Case[] = [
  short,
  abuse,
  abuseFromEverywhere,
  ...[
    serverKilled,
    databaseKilled,
    serverThrows,
    serverStopped,
    databaseStopped,
    connectionsTerminated,
    databaseCut,
    networkCut,
    answersCut,
    databaseSlow,
    uploadsCut,
    uploadsDiskFull,
    databaseDiskFull,
    walDiskFull,
    clockShifted,
    jobsDying,
    twoServers,
    upgradeKilled,
    smtpAway,
    storageAway,
  ].map(underLoad),
  migrationsKilled,
  checker,
  load,
  badInput,
  secretsLogged,
  advisories,
]
