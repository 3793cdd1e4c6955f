import type { ChildProcess } from 'node:child_process'

export interface Patience {
  /** One that does not go by then is told as at a stop. */
  readonly retireMs: number
  /** And one that does not go then either is ended: nobody may keep the next version from coming. */
  readonly stopMs: number
}

export const patience: Patience = { retireMs: 45_000, stopMs: 15_000 }

/** A process whose successor listens ends what it has begun, and goes. */
export async function retire(old: ChildProcess, { retireMs, stopMs }: Patience = patience): Promise<void> {
  if (old.exitCode !== null || old.signalCode !== null) return
  // Not by `once` of node:events, which fails with every error: one that dies cannot be sent to, and still ends.
  const ended = new Promise((resolve) => old.once('exit', resolve))
  old.send('retire')
  const timers = [
    setTimeout(() => old.kill('SIGTERM'), retireMs),
    setTimeout(() => {
      console.error('A process that was replaced did not end: it is killed.')
      old.kill('SIGKILL')
    }, retireMs + stopMs),
  ]
  await ended
  for (const timer of timers) clearTimeout(timer)
}
