import { createTurns } from '#platform/turns/turns'

/** Fewer than the pool has connections, so that everything else is answered while many buy. */
export const inTurn = createTurns({ atOnce: 6, waitingMax: 1000 })
