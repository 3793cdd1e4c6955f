import { setTimeout as sleep } from 'node:timers/promises'
import { createTurns } from '#platform/turns/turns'

const restMs = 20
const turns = createTurns({ atOnce: 1, waitingMax: 100 })

/**
 * Who sends a body that nobody can read is told so in turn, and after each everybody else has a while: hundreds a second
 * would keep them waiting. When too many wait, it is told at once.
 */
export function turnToRefuse(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const letIn = async () => {
    resolve()
    await sleep(restMs)
  }
  void turns(letIn).catch(() => resolve())
  return promise
}
