import { abuse } from './abuse.ts'
import { advisories } from './advisories.ts'
import { badInput } from './bad-input.ts'
import { databaseKilled } from './database-killed.ts'
import { load } from './load.ts'
import { secretsLogged } from './secrets-logged.ts'
import { serverKilled } from './server-killed.ts'
import type { Case } from './tools/case.ts'
import { together, underLoad } from './tools/under-load.ts'

/** The short form strikes several faults in one world: starting one and letting it settle takes most of the time. */
const short: Case = {
  name: 'short',
  forms: ['short'],
  run: (options) => together([serverKilled, databaseKilled], options),
}

/** In the order in which they run. A case that is not `underLoad` answers lines of its own. */
export const cases: Case[] = [
  short,
  underLoad(serverKilled),
  underLoad(databaseKilled),
  load,
  badInput,
  abuse,
  secretsLogged,
  advisories,
]
