const restMs = 20
const waitingMax = 100
const waiting: (() => void)[] = []
let isResting = false

/**
 * Who sends what nobody can read is told so in turn, and after each everybody else has a while: hundreds a second would
 * keep them waiting. When too many wait, it is told at once.
 */
export function inTurnToRefuse(tell: () => void): void {
  if (!isResting) tellNow(tell)
  else if (waiting.length < waitingMax) waiting.push(tell)
  else tell()
}

export function turnToRefuse(): Promise<void> {
  return new Promise(inTurnToRefuse)
}

function tellNow(tell: () => void): void {
  isResting = true
  setTimeout(goOn, restMs)
  tell()
}

function goOn(): void {
  isResting = false
  const next = waiting.shift()
  if (next) tellNow(next)
}
