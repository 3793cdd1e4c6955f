import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What came back on a connection of one's own, until the other side closed it or the time was over. */
export interface Said {
  text: string
  statuses: number[]
  isClosed: boolean
  ms: number
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject).on('error', () => {})
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** Sends bytes as they are. What no client library would send can be sent so. */
export async function say(
  port: number,
  text: string | Buffer,
  { waitMs = 3_000, isEnded = false }: { waitMs?: number; isEnded?: boolean } = {},
): Promise<Said> {
  const socket = await openSocket(port)
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isClosed = true
      resolve()
    }),
  )
  socket.write(text)
  if (isEnded) socket.end()
  await Promise.race([closed, sleep(waitMs, undefined, { ref: false })])
  const ms = performance.now() - startedAt
  socket.destroy()
  const said = Buffer.concat(chunks).toString('latin1')
  // A body ends without a line of its own, so that the next answer may begin anywhere.
  const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { text: said, statuses, isClosed, ms }
}
