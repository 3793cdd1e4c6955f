import { Client } from 'pg'
import { connectionSettings, requestTimeouts } from '#platform/db/connection'
import { channel } from './wake.ts'

const reconnectMs = 2000
const heartbeatMs = 30_000

/** Hears of jobs that other processes promise. A hint beside polling: while it is deaf, jobs come a little later. */
export function listenForJobs(url: string, onJob: () => void): { stop(): Promise<void> } {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function connect(): Promise<void> {
    const next = new Client(connectionSettings(url, requestTimeouts))
    client = next
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', onJob)
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      beat(next)
      onJob()
    } catch {
      lose(next)
    }
  }

  function beat(current: Client): void {
    if (isStopped || client !== current) return
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => beat(current),
        () => lose(current),
      )
    }, heartbeatMs)
    timer.unref()
  }

  function lose(lost: Client): void {
    if (client !== lost) return
    client = undefined
    clearTimeout(timer)
    lost.end().catch(() => {})
    if (!isStopped) timer = setTimeout(connect, reconnectMs).unref()
  }

  void connect()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
