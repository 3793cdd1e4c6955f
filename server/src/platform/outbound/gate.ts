/** Lets so many through at once for each name; the rest wait their turn, but not for ever. */
export function createGate(limits: { atOnce: number; waitSeconds: number }) {
  const inside = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  function leave(name: string): void {
    const next = waiting.get(name)?.shift()
    if (next) return next()
    const left = (inside.get(name) ?? 1) - 1
    if (left > 0) {
      inside.set(name, left)
      return
    }
    inside.delete(name)
    waiting.delete(name)
  }

  function once(name: string): () => void {
    let isInside = true
    return () => {
      if (isInside) leave(name)
      isInside = false
    }
  }

  /** How to leave again; undefined when the wait was too long. */
  async function enter(name: string): Promise<(() => void) | undefined> {
    const count = inside.get(name) ?? 0
    if (count < limits.atOnce) {
      inside.set(name, count + 1)
      return once(name)
    }
    const queue = waiting.get(name) ?? []
    waiting.set(name, queue)
    return new Promise((resolve) => {
      const turn = () => {
        clearTimeout(timer)
        resolve(once(name))
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(turn), 1)
        resolve(undefined)
      }, limits.waitSeconds * 1000)
      queue.push(turn)
    })
  }

  return { enter }
}
