import { readdirSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './tools/under-load.ts'
import type { World } from './tools/world.ts'

const uploads = 100
/** More than what is held before anything is written. */
const half = 128 * 1024
/** They begin two at a time, after what is left to do for those that were cut before. */
const underWayMin = 50
const underWayMsMax = 20_000
let files = () => 0
let begun = 0

/** Uploads whose sender is gone half-way: nothing of them stays, on the disk or open in the server. */
export const uploadsCut: Fault = {
  name: 'uploads-cut',
  title: `${uploads} uploads cut half-way`,
  times: { whole: 3 },
  // All come from one address, with one key.
  world: () => ({ env: { RATE_LIMITS: 'off' } }),
  promises: { recoveryMs: 2_000 },
  felt: () => begun,
  async strike(world) {
    files = () => openFilesOf(world)
    const cuts = Array.from({ length: uploads }, () => beginUpload(world))
    const until = performance.now() + underWayMsMax
    while (files() < underWayMin && performance.now() < until) await sleep(50)
    begun += files()
    await Promise.all(cuts.map((cut) => cut()))
    return performance.now()
  },
  note: () => [`${begun} of them were being written when they were looked at`],
  check: async () => ({ 'files of uploads that are still open': files() }),
}

function beginUpload({ shop, servers: [server], apiKey, random }: World): () => Promise<void> {
  const [productId] = shop.files
  const asked = request({
    host: '127.0.0.1',
    port: server?.port,
    method: 'PATCH',
    path: `/stores/${shop.storeId}/products/${productId}/file`,
    headers: {
      host: `localhost:${server?.port}`,
      authorization: `Bearer ${apiKey}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 2 * half,
    },
  })
  asked.on('error', () => {})
  asked.write('--b\r\ncontent-disposition: form-data; name="file"; filename="cut.txt"\r\n\r\n')
  asked.write(Buffer.alloc(half, 'x'))
  return async () => {
    await sleep(random() * 400)
    asked.destroy()
  }
}

function openFilesOf({ servers: [server], dataDir }: World): number {
  const folder = `/proc/${server?.pid}/fd`
  return readdirSync(folder).filter((name) => targetOf(join(folder, name)).startsWith(join(dataDir, 'uploads'))).length
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // Closed in the meantime.
    return ''
  }
}
