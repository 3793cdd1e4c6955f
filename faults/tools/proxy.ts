import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between the server and its database: a network that can be broken. */
export interface Network {
  host: string
  port: number
  /**
   * `held`: nothing passes, and what was sent arrives when the network is whole again. `lost`: both directions are
   * swallowed, and the connections are dead afterwards. `answers-lost`: questions pass, answers are swallowed.
   * `late`: every answer takes longer, and nothing is lost.
   */
  cut(how: Cut): void
  mend(): void
  close(): void
}

export type Cut = 'held' | 'lost' | 'answers-lost' | 'late'

const lateMs = 200

/** Leads to a Unix socket. */
export async function startProxy(socketPath: string): Promise<Network> {
  let cut: Cut | undefined
  const pairs = new Set<{ near: Socket; far: Socket }>()
  const server = createServer((near) => {
    const far = connect(socketPath)
    const pair = { near, far }
    pairs.add(pair)
    near.on('data', (chunk) => void (cut === 'lost' || far.write(chunk)))
    let answered = Promise.resolve()
    far.on('data', (chunk) => {
      if (cut === 'lost' || cut === 'answers-lost') return
      const isDue = cut === 'late' ? sleep(lateMs) : undefined
      answered = answered.then(() => isDue).then(() => void near.write(chunk))
    })
    if (cut === 'held') hold(pair)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {})
      // The end of a connection does not pass a broken network either.
      one.on('close', () => {
        if (cut === undefined || cut === 'late') other.destroy()
        if (one.destroyed && other.destroyed) pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())

  function destroyAll(): void {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
    pairs.clear()
  }

  return {
    host: '127.0.0.1',
    port,
    cut(how) {
      cut = how
      if (how === 'held') for (const pair of pairs) hold(pair)
    },
    mend() {
      const was = cut
      cut = undefined
      if (was === 'late') return
      if (was !== 'held') return destroyAll()
      for (const pair of pairs) {
        if (pair.near.destroyed || pair.far.destroyed) {
          pair.near.destroy()
          pair.far.destroy()
          continue
        }
        pair.near.resume()
        pair.far.resume()
      }
    },
    close() {
      destroyAll()
      server.close()
    },
  }
}

function hold({ near, far }: { near: Socket; far: Socket }): void {
  near.pause()
  far.pause()
}
