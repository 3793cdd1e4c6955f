/** So many requests begin before what is under way is looked at again. */
const aTurnMax = 2

/** Of many requests that come at once only a few begin in a turn: else all of them would before any other goes on. */
export function createTurnstile(): (begin: () => void) => void {
  const waiting: (() => void)[] = []
  let begun = 0
  let isDue = false

  function turnLater(): void {
    if (isDue) return
    isDue = true
    setImmediate(turn)
  }

  function turn(): void {
    isDue = false
    begun = 0
    for (const begin of waiting.splice(0, aTurnMax)) enter(begin)
  }

  function enter(begin: () => void): void {
    begun += 1
    turnLater()
    begin()
  }

  return (begin) => {
    if (begun < aTurnMax && waiting.length === 0) enter(begin)
    else waiting.push(begin)
  }
}
