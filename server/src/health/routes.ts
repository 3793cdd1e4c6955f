import * as contract from '@keystall/contract/endpoints/health'
import { sql } from 'kysely'
import { type Implementation, implement } from '#platform/http/implement'
import { unavailable } from '#problem'

/** Set once the process has been told to stop: whoever sends it requests should look elsewhere. */
export interface Draining {
  isDraining: boolean
  /** Then the next connection leads there. */
  hasSuccessor: boolean
}

export function healthRoutes(draining: Draining): Implementation[] {
  return [
    implement(contract.checkHealth, async () => ({ status: 'ok' as const })),
    implement(contract.checkReadiness, async ({ db }) => {
      if (draining.isDraining && !draining.hasSuccessor) throw unavailable()
      await sql`select 1`.execute(db)
      return { status: 'ok' as const }
    }),
  ]
}
