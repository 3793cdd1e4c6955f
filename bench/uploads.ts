import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { ownWords } from '../server/test/product.ts'

/**
 * What large uploads cost in memory: ten pictures of 29,999,999 bytes at once, then a file of 1 GiB, up and down again.
 * The server is a process of its own, with the embedded database, as an operator would start it.
 */
const imageBytes = 29_999_999
const fileBytes = 2 ** 30
const mebibyte = 2 ** 20
const port = 18_080
const base = `http://localhost:${port}`
const boundary = 'bench-boundary'
const tinyPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const agent = new Agent({ keepAlive: true, maxSockets: 20 })

const dataDir = await mkdtemp(join(tmpdir(), 'keystall-bench-'))
const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
const server = spawn(process.execPath, [...ownWords, 'server/dist/main.js'], {
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await ready()
  const apiKey = await aKey()
  const store = await api('POST', '/stores', apiKey, { name: 'Bench', url: 'bench' })
  const product = await api('POST', `/stores/${store.id}/products`, apiKey, { name: 'Picture', cost: 0, visibility: 0 })
  const path = `/stores/${store.id}/products/${product.id}`

  const noise = await noisyPng()
  await uploadImage(path, apiKey, Buffer.from(tinyPng, 'base64'))
  await measured('10 padded pictures of 29,999,999 bytes at once', () => {
    const padded = Buffer.concat([Buffer.from(tinyPng, 'base64'), Buffer.alloc(imageBytes - 70)]).subarray(
      0,
      imageBytes,
    )
    return Promise.all(Array.from({ length: 10 }, () => uploadImage(path, apiKey, padded)))
  })
  for (const name of (await api('GET', path, apiKey)).imageNames) await api('DELETE', `${path}/image/${name}`, apiKey)
  await measured(`10 pictures of noise of ${noise.length} bytes at once`, () =>
    Promise.all(Array.from({ length: 10 }, () => uploadImage(path, apiKey, noise))),
  )

  const hash = await measured('a file of 1 GiB up', () => uploadFile(path, apiKey))
  const order = await anOrder(store.id, product.id)
  await measured('the same down, in 16 ranges of 64 MiB', async () => {
    const whole = createHash('sha256')
    for (let start = 0; start < fileBytes; start += 64 * mebibyte) {
      await download(order.url, { range: `bytes=${start}-${start + 64 * mebibyte - 1}` }, (chunk) =>
        whole.update(chunk),
      )
    }
    console.log(`  the bytes are ${whole.digest('hex') === hash ? 'the same' : 'OTHERS'}`)
  })
} finally {
  await stop(server)
  await rm(dataDir, { recursive: true, force: true })
}

/** Random pixels do not compress: as large as a picture may be, and as hard to write anew. */
async function noisyPng(): Promise<Buffer> {
  const side = 3_150
  const raw = { width: side, height: side, channels: 3 as const }
  const png = await sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return png.length <= imageBytes ? png : Promise.reject(new Error(`${png.length} bytes are too many`))
}

async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
  await sleep(2_000)
  const before = await residentBytes()
  let most = before
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await residentBytes())
      await sleep(20)
    }
  })()
  const begin = performance.now()
  try {
    return await work()
  } finally {
    isOver = true
    await watching
    const seconds = (performance.now() - begin) / 1000
    const [from, by] = [before, most - before].map((bytes) => (bytes / mebibyte).toFixed(0))
    console.log(`${what}: ${seconds.toFixed(1)} s, memory grew by ${by} MiB from ${from} MiB`)
  }
}

/** Without the pages of files, which the kernel takes back when it needs them. */
async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

async function uploadImage(path: string, apiKey: string, content: Buffer): Promise<void> {
  const { status, text } = await send('PATCH', `${path}/image`, apiKey, 'image', content.length, [content])
  if (status !== 200) throw new Error(text)
}

async function uploadFile(path: string, apiKey: string): Promise<string> {
  const hash = createHash('sha256')
  const { status, text } = await send('PATCH', `${path}/file`, apiKey, 'file', fileBytes, chunks())
  if (status !== 200) throw new Error(text)
  return hash.digest('hex')

  function* chunks() {
    for (let sent = 0; sent < fileBytes; sent += mebibyte) {
      const chunk = randomBytes(mebibyte)
      hash.update(chunk)
      yield chunk
    }
  }
}

async function send(
  method: string,
  path: string,
  apiKey: string,
  part: string,
  bytes: number,
  content: Iterable<Buffer>,
) {
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="x"\r\nContent-Type: a/b\r\n\r\n`,
  )
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + bytes + end.length,
    }
    const outgoing = request(`${base}${path}`, { method, headers, agent }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, text })
    })
    outgoing.on('error', reject)
    ;(async () => {
      outgoing.write(head)
      for (const chunk of content) {
        for (let at = 0; at < chunk.length; at += mebibyte) {
          if (!outgoing.write(chunk.subarray(at, at + mebibyte))) {
            await new Promise((next) => outgoing.once('drain', next))
          }
        }
      }
      outgoing.end(end)
    })().catch(reject)
  })
}

/** A bench reads what it knows is there. */
async function api(method: string, path: string, apiKey: string, body?: unknown) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${base}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const reply = Object(await response.json())
  if (!response.ok) throw new Error(JSON.stringify(reply))
  return reply.data
}

async function anOrder(storeId: string, productId: string): Promise<{ url: string }> {
  const items = [{ productId, quantity: 1 }]
  const body = { items, gateway: 'free', emailAddress: 'buyer@example.com' }
  const [made] = await api('POST', `/stores/${storeId}/checkout`, '', body)
  const { id, key } = made.order
  for (let tries = 0; tries < 100; tries += 1) {
    const order = await api('GET', `/orders/${id}?key=${key}`, '')
    if (order.files.length > 0) return { url: `${base}/orders/${id}/files/${order.files[0].id}?key=${key}` }
    await sleep(100)
  }
  throw new Error('the order was not delivered')
}

function download(url: string, headers: Record<string, string>, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 206) reject(new Error(`status ${response.statusCode}`))
      response.on('data', take).on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

async function aKey(): Promise<string> {
  const person = ['--email', 'bench@example.com', '--username', 'bench', '--password', 'a long bench password']
  await keystall('user', 'create', ...person)
  return (await keystall('key', 'create', '--owner', 'bench@example.com', '--scopes', '*')).apiKey
}

async function keystall(...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ['server/src/keystall.ts', ...words, '--json'], {
    env,
  })
  return JSON.parse(stdout)
}

async function ready(): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const isReady = await fetch(`${base}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new Error('the server did not start')
}

async function stop(child: ChildProcess): Promise<void> {
  agent.destroy()
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
