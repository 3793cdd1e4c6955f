import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import type { Answer } from './sender.ts'
import { startNameServer } from '#test/name-server'
import { createResolver } from './resolver.ts'
import { createSender, type SenderOptions } from './sender.ts'
import { newWebhookSecret, webhookHeaders } from './signing.ts'

// Self-signed, for the name shop.example.
const cert = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUSgAwIBAgIUDrxjBIY0N4Sn9rtE1SuNFJhke64wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMCAXDTI2MTExNzE1MzYwMFoYDzIxMjYx
MDI0MTUzNjAwWjAXMRUwEwYDVQQDDAxzaG9wLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASWdwM++a45Q6wzFVnAnIakpC4YdN08Lq3h+tZj79+mBlyk
7OVebV6IwhADrLLCBseW0rBtEy9Mjbe88CmfqiOXo2wwajAdBgNVHQ4EFgQUUqOQ
hlGXU2gyRH+gyqt3FmuOapwwHwYDVR0jBBgwFoAUUqOQhlGXU2gyRH+gyqt3FmuO
apwwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxzaG9wLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSAAwRQIhAOleNyYywjXYAqlaiG4qNgDFl7wYHSncODaPZ2Nx8Tas
AiAWSBAb0fYtq4Qn12g+dkmFIwWzpUV7HPGXh/I9QAX7Pw==
-----END CERTIFICATE-----`
const certKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrWhTBAMDPJZfcPVL
rA2Y4YLHB0VNZdFnKqeYV7mDhl+hRANCAASWdwM++a45Q6wzFVnAnIakpC4YdN08
Lq3h+tZj79+mBlyk7OVebV6IwhADrLLCBseW0rBtEy9Mjbe88CmfqiOX
-----END PRIVATE KEY-----`

/** The internal service: on the port of the receiver, one address away. */
let canary: Server
let canaryHits = 0

beforeAll(async () => {
  canary = createTcpServer((socket) => {
    canaryHits++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
})

afterAll(() => {
  canary.close()
  assert.equal(canaryHits, 0, 'the internal service was called')
})

async function listening(server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(port, '127.0.0.2')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return portOf(server)
}

function portOf(server: Server): number {
  const address = server.address()
  assert.ok(isAddressInfo(address))
  return address.port
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

const aReceiver = (answer: RequestListener) => listening(createServer(answer))

function aSender(options: Partial<SenderOptions> = {}) {
  const sender = createSender({ allowCidrs: ['127.0.0.2/32'], ...options })
  onTestFinished(() => sender.close())
  return sender
}

const aCall = { headers: { 'content-type': 'application/json' }, body: '{}' }

async function answered(result: Promise<Answer | Error>): Promise<Answer> {
  const answer = await result
  if (answer instanceof Error) assert.fail(answer)
  return answer
}

async function failed(result: Promise<Answer | { failed: string; message: string }>): Promise<string> {
  const answer = await result
  assert.ok('failed' in answer, 'it was answered')
  assert.doesNotMatch(answer.message, /127\.0|secret/)
  return answer.failed
}

const resolve = async () => ['127.0.0.2']

describe('a call', () => {
  test('brings status, headers and body, whatever the status', async () => {
    const port = await aReceiver((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        response.writeHead(503, { 'retry-after': '7', 'x-host': request.headers.host })
        response.end(Buffer.concat(chunks))
      })
    })
    const answer = await answered(aSender().post(`http://127.0.0.2:${port}/`, { ...aCall, body: 'ключ' }))
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['retry-after'], '7')
    assert.equal(answer.headers['x-host'], `127.0.0.2:${port}`)
    assert.equal(answer.body.toString(), 'ключ')
    assert.ok(answer.durationMs < 1000)
  })

  test('goes to the resolved address with the name in Host', async () => {
    const port = await aReceiver((request, response) => response.end(request.headers.host))
    const sender = aSender({ resolve: async () => ['127.0.0.2'] })
    const answer = await answered(sender.post(`http://shop.example:${port}/`, aCall))
    assert.equal(answer.body.toString(), `shop.example:${port}`)
  })

  test('checks the certificate against the name', async () => {
    const secure = createSecureServer({ cert, key: certKey }, (_request, response) => response.end('ok'))
    const port = await listening(secure)
    assert.equal(await failed(aSender({ resolve }).post(`https://shop.example:${port}/`, aCall)), 'tls')
    assert.equal(await failed(aSender({ resolve, ca: cert }).post(`https://other.example:${port}/`, aCall)), 'tls')
    const answer = await answered(aSender({ resolve, ca: cert }).post(`https://shop.example:${port}/`, aCall))
    assert.equal(answer.body.toString(), 'ok')
  })

  test('takes no proxy from the environment', async () => {
    const port = await aReceiver((_request, response) => response.end('ok'))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy']) {
      process.env[name] = `http://127.0.0.1:${portOf(canary)}`
      onTestFinished(() => void delete process.env[name])
    }
    const answer = await answered(aSender().post(`http://127.0.0.2:${port}/`, aCall))
    assert.equal(answer.body.toString(), 'ok')
  })
})

describe('an internal address', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    'localhost',
  ])('%s is not called', async (host) => {
    assert.equal(await failed(aSender().post(`http://${host}:${portOf(canary)}/`, aCall)), 'blocked')
  })

  test.each([
    ['127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::1'],
    ['127.0.0.2', '127.0.0.1'],
    ['169.254.169.254'],
    ['nonsense'],
  ])('a name that resolves to %s is not called', async (...addresses) => {
    const sender = aSender({ resolve: async () => addresses })
    assert.equal(await failed(sender.post(`http://rebind.example:${portOf(canary)}/`, aCall)), 'blocked')
  })

  test('a resolver that changes its mind is asked once a connection', async () => {
    let asked = 0
    const port = await listening(
      createServer((_request, response) => response.setHeader('connection', 'close').end('ok')),
      portOf(canary),
    )
    const sender = aSender({ resolve: async () => [asked++ % 2 === 0 ? '127.0.0.2' : '127.0.0.1'] })
    let good = 0
    for (let call = 0; call < 200; call++) {
      const answer = await sender.post(`http://rebind.example:${port}/`, aCall)
      if ('failed' in answer) assert.equal(answer.failed, 'blocked')
      else good++
    }
    assert.equal(asked, 200)
    assert.equal(good, 100)
  })

  test('a name server that changes its mind between two questions brings nobody inside', async () => {
    const names = await startNameServer()
    onTestFinished(() => names.close())
    const port = await listening(
      createServer((_request, response) => response.setHeader('connection', 'close').end('ok')),
      portOf(canary),
    )
    const good = { A: ['127.0.0.2'] }
    const bad = [
      { A: ['127.0.0.1'] },
      { A: ['127.0.0.2', '127.0.0.1'] },
      { A: ['127.0.0.2'], AAAA: ['::1'] },
      { AAAA: ['::ffff:127.0.0.1'] },
      { A: ['127.0.0.2'], AAAA: ['64:ff9b::7f00:1'] },
      { CNAME: 'localhost' },
      { A: ['169.254.169.254'] },
    ]
    const sender = aSender({ resolve: createResolver([names.address]) })
    const answers = new Map<string, number>()
    for (let call = 0; call < 200; call++) {
      names.zone = { 'rebind.example': call % 2 === 0 ? good : (bad[(call >> 1) % bad.length] ?? good) }
      // It changes while the call is under way, too.
      const sent = sender.post(`http://rebind.example:${port}/`, aCall)
      setTimeout(() => (names.zone = { 'rebind.example': { A: ['127.0.0.1'] } }), call % 7)
      const answer = await sent
      const kind = 'failed' in answer ? answer.failed : 'ok'
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
    }
    assert.ok((answers.get('ok') ?? 0) > 20, JSON.stringify([...answers]))
    assert.deepEqual(
      [...answers.keys()].filter((kind) => !['ok', 'blocked', 'dns'].includes(kind)),
      [],
    )
  })

  test('a name without an address fails', async () => {
    const nowhere = aSender({ resolve: async () => Promise.reject(new Error('SERVFAIL')) })
    assert.equal(await failed(nowhere.post('http://gone.example/', aCall)), 'dns')
    assert.equal(await failed(aSender({ resolve: async () => [] }).post('http://gone.example/', aCall)), 'dns')
  })

  test('a redirect inward is a failure with its status', async () => {
    const port = await aReceiver((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${portOf(canary)}/` }).end()
    })
    const answer = await aSender().post(`http://127.0.0.2:${port}/`, aCall)
    assert.ok('failed' in answer)
    assert.equal(answer.failed, 'redirect')
    assert.equal(answer.status, 307)
  })

  test('our own port is refused though its range is open', async () => {
    const sender = aSender({
      allowCidrs: ['127.0.0.0/8'],
      ownPorts: [portOf(canary)],
      resolve: async () => ['127.0.0.1'],
    })
    assert.equal(await failed(sender.post(`http://127.0.0.1:${portOf(canary)}/`, aCall)), 'blocked')
    assert.equal(await failed(sender.post(`http://own.example:${portOf(canary)}/`, aCall)), 'blocked')
  })
})

describe('an answer as a weapon', () => {
  test('more than the limit is cut, and exactly the limit is not', async () => {
    const port = await aReceiver((request, response) => response.end(Buffer.alloc(Number(request.headers['x-bytes']))))
    const call = (bytes: number) =>
      aSender().post(`http://127.0.0.2:${port}/`, { ...aCall, headers: { 'x-bytes': String(bytes) } })
    assert.equal(await failed(call(2 * 1024 * 1024)), 'too-large')
    assert.equal((await answered(call(1024 * 1024))).body.length, 1024 * 1024)
  })

  test('an endless answer costs no memory', async () => {
    const port = await aReceiver((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    const sender = aSender()
    const before = process.memoryUsage.rss()
    const results = await Promise.all(
      Array.from({ length: 5 }, () => failed(sender.post(`http://127.0.0.2:${port}/`, aCall))),
    )
    assert.deepEqual(new Set(results), new Set(['too-large']))
    assert.ok(process.memoryUsage.rss() - before < 60_000_000)
  })

  test('a compressed bomb is cut where its content is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
    const port = await aReceiver((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    assert.equal(await failed(aSender().post(`http://127.0.0.2:${port}/`, aCall)), 'too-large')
  })

  test('a small compressed answer is read', async () => {
    const port = await aReceiver((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync('KEY-1')),
    )
    assert.equal((await answered(aSender().post(`http://127.0.0.2:${port}/`, aCall))).body.toString(), 'KEY-1')
  })

  test('a broken compressed answer fails', async () => {
    const port = await aReceiver((_request, response) => response.setHeader('content-encoding', 'gzip').end('no gzip'))
    assert.equal(await failed(aSender().post(`http://127.0.0.2:${port}/`, aCall)), 'network')
  })

  test('the time limit holds over all, however steadily it drips', async () => {
    const port = await aReceiver((_request, response) => {
      const drip = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(drip))
    })
    assert.equal(
      await failed(aSender().post(`http://127.0.0.2:${port}/`, { ...aCall, timeoutSeconds: 0.5 })),
      'timeout',
    )
  })

  test('silence, and headers that drip, end in time', async () => {
    const silent = await listening(createTcpServer(() => {}))
    const dripping = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        const drip = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 50)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    const ends = async (port: number) =>
      failed(aSender().post(`http://127.0.0.2:${port}/`, { ...aCall, timeoutSeconds: 0.4 }))
    assert.equal(await ends(silent), 'timeout')
    // A word that nobody asked for.
    assert.equal(await ends(dripping), 'network')
  })

  test('a flood of headers fails', async () => {
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.write('HTTP/1.1 200 OK\r\n')
        for (let index = 0; index < 2000; index++) socket.write(`x-${index}: ${'y'.repeat(100)}\r\n`)
      }),
    )
    assert.equal(await failed(aSender().post(`http://127.0.0.2:${port}/`, aCall)), 'too-large')
  })

  test('a connection closed early, refused or without sense fails', async () => {
    const closing = await listening(createTcpServer((socket) => socket.destroy()))
    const halfway = await aReceiver((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    })
    const nonsense = await listening(createTcpServer((socket) => void socket.end('220 mail ready\r\n')))
    for (const port of [closing, halfway, nonsense, 1025]) {
      assert.equal(await failed(aSender().post(`http://127.0.0.2:${port}/`, aCall)), 'network')
    }
  })
})

test('so many calls go to one host at once, and another host does not wait', async () => {
  let inFlight = 0
  let most = 0
  const isQuickAnswered = Promise.withResolvers<void>()
  const slow = await aReceiver((_request, response) => {
    most = Math.max(most, ++inFlight)
    const end = () => {
      inFlight--
      response.end()
    }
    void isQuickAnswered.promise.then(() => setTimeout(end, 20))
  })
  const quick = await aReceiver((_request, response) => response.end())
  const sender = aSender({ inFlightPerHostMax: 3 })
  const calls = Array.from({ length: 12 }, () => answered(sender.post(`http://127.0.0.2:${slow}/`, aCall)))
  await answered(sender.post(`http://127.0.0.2:${quick}/`, aCall))
  isQuickAnswered.resolve()
  await Promise.all(calls)
  assert.equal(most, 3)
})

test('a call is signed with every secret, and each of them verifies it', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const headers = webhookHeaders({ id: 'msg_1', body: '{"a":1}', secrets, sentAt: new Date() })
  assert.match(headers['webhook-signature'] ?? '', /^v1,\S+ v1,\S+$/)
  for (const secret of secrets) assert.deepEqual(new Webhook(secret).verify('{"a":1}', headers), { a: 1 })
  assert.throws(() => new Webhook(newWebhookSecret()).verify('{"a":1}', headers))
})
