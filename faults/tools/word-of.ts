import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The next word of a process; a failure when it ends instead. */
export async function wordOf(child: ChildProcess, title: string): Promise<unknown> {
  const heard = new AbortController()
  const { signal } = heard
  const word = once(child, 'message', { signal }).then(([message]): unknown => message)
  const end = once(child, 'exit', { signal }).then(() => {
    throw new Error(`"${title}" ended by itself`)
  })
  try {
    return await Promise.race([word, end])
  } finally {
    heard.abort()
  }
}
