import type { ChildProcess } from 'node:child_process'

/** The next word of a process that is meant; a failure when it ends instead. */
export function wordOf(
  child: ChildProcess,
  title: string,
  isMeant: (word: unknown) => boolean = () => true,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // Two words may come at once: whoever listens anew for each misses the second.
    const hear = (word: unknown) => {
      if (!isMeant(word)) return
      forget()
      resolve(word)
    }
    const fail = () => {
      forget()
      reject(new Error(`"${title}" ended by itself`))
    }
    const forget = () => void child.off('message', hear).off('exit', fail).off('error', fail)
    child.on('message', hear).once('exit', fail).once('error', fail)
    // One that cannot be started has no exit, and may say so more than once.
    if (child.listenerCount('error') === 1) child.on('error', () => {})
    if (child.exitCode !== null || child.signalCode !== null) fail()
  })
}
