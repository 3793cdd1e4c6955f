import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { announce } from '#platform/jobs/wake'
import type { TestServer } from './harness.ts'

export interface Received {
  headers: Record<string, string>
  body: string
}

export type Reply = (response: ServerResponse, received: Received) => void

export interface Receiver {
  url: string
  received: Received[]
  /** How it answers from now on. */
  reply: Reply
}

const servers: Server[] = []

/** A seller's receiver on the one loopback address that tests open. It is stopped after the last test of the file. */
export async function aReceiver(
  reply: Reply = (response) => response.end('ok'),
  certificate?: { key: string; cert: string },
): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], reply }
  const listen = certificate ? createSecureServer.bind(undefined, certificate) : createServer
  const server = listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = { headers: plain(request.headers), body: Buffer.concat(chunks).toString('utf8') }
      receiver.received.push(received)
      receiver.reply(response, received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  servers.push(server)
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  receiver.url = `${certificate ? 'https' : 'http'}://127.0.0.2:${address.port}/hook`
  return receiver
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

export function stopReceivers(): void {
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
}

/** Tries until it no longer throws. */
export async function eventually<T>(look: () => T | Promise<T>, seconds = 8): Promise<T> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(20)
    }
  }
}

/** Whatever waits for its next try is due now. Whoever has just set something back has told the jobs so before. */
export async function hasten({ platform }: TestServer): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`
      select from webhook_lanes lane join webhook_deliveries delivery
        on delivery.store_id = lane.store_id and delivery.lane = lane.name
      where lane.worker is not null and delivery.status = 'waiting' and delivery.next_try_at > now()
    `.execute(platform.db)
    assert.equal(rows.length, 0)
  })
  await sql`update webhook_deliveries set next_try_at = now() where status = 'waiting'`.execute(platform.db)
  await sql`update jobs set run_at = now() where queue like 'send-webhooks%' and lease is null`.execute(platform.db)
  announce()
}

/** Nobody vouches for it. */
export const badCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtk0HwES5qFRFNVYU
C+QkQi5518gYA8xPx2OqPHmH1LChRANCAATcFU7XQVDS/btdc7oaMHLGF/0jpqoR
DwGjVhcdS7RLWsTdFncYORfD8jen+I6uqdLs4IzBaP8ywuXwChVTFAHN
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBjDCCATOgAwIBAgIUDYJpqN9uT0wvmAuQsxB7zoIsvzowCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMTcxNjIyMTRaGA8y
MTI2MTAyNDE2MjIxNFowGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABNwVTtdBUNL9u11zuhowcsYX/SOmqhEPAaNW
Fx1LtEtaxN0Wdxg5F8PyN6f4jq6p0uzgjMFo/zLC5fAKFVMUAc2jUzBRMB0GA1Ud
DgQWBBRngyrGBNXck5XCEgKCdCpguIgjezAfBgNVHSMEGDAWgBRngyrGBNXck5XC
EgKCdCpguIgjezAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIFjF
UgEoFiN/cRv0PYiIHsvZxmnEFXrijXqZEK18MXdIAiAYQyYu3IQ9KiHXeWtGmJqy
/QZkFhLd4rfa8CzEL+jMuA==
-----END CERTIFICATE-----`,
}
