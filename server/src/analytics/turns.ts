import { createTurns } from '#platform/turns/turns'

/**
 * A window of a year is read by several statements at once. However many ask for theirs, most of the pool's connections
 * are left to those who buy; whoever comes when many wait already is told to come again.
 */
export const inTurn = createTurns({ atOnce: 2, waitingMax: 100 })
