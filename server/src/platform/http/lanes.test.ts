import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished, test } from 'vitest'
import { createLanes } from './lanes.ts'
import { endTogether } from './together.ts'

async function listening(
  handle: RequestListener,
  { onRead = () => {}, ...options }: ServerOptions & { onRead?: RequestListener } = {},
): Promise<() => Socket> {
  const lanes = createLanes(handle)
  const server = createServer(options, onRead).on('connection', lanes.open).on('request', lanes.take)
  onTestFinished(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  // A client that goes on sending to a server that has ended is none of Node's own.
  return () => connect({ port, host: '127.0.0.1', allowHalfOpen: true })
}

const requests = (count: number, more = '') =>
  Array.from({ length: count }, (_, number) => `GET /${number} HTTP/1.1\r\nHost: a\r\n${more}\r\n`).join('')
const longer = `More: ${'x'.repeat(1_000)}\r\n`

/** The paths in the order in which they were answered. */
async function answered(socket: Socket, count: number): Promise<number[]> {
  let told = ''
  for await (const chunk of socket) {
    told += String(chunk)
    if (told.endsWith(`</${count - 1}>`)) break
  }
  return [...told.matchAll(/<\/(\d+)>/g)].map(([, number]) => Number(number))
}

/** Of so many that were sent at once; until the connection ends, or all are answered. */
async function allAnswered(socket: Socket, sent: number): Promise<number[]> {
  socket.on('error', () => {}).write(requests(sent))
  return answered(socket, sent)
}

test('what one connection sends in advance is answered in turn, one at a time, and forgotten with it', async () => {
  const sent = 300
  let [underWay, most, taken] = [0, 0, 0]
  const open = await listening(async (request, response) => {
    underWay += 1
    taken += 1
    most = Math.max(most, underWay)
    await nextTurn()
    underWay -= 1
    response.end(`<${request.url}>`)
  })
  const socket = open()
  socket.write(requests(sent))
  assert.deepEqual(await answered(socket, sent), [...Array(sent).keys()])
  assert.equal(most, 1)
  assert.equal(taken, sent)

  const rude = open()
  rude.write(requests(sent))
  while (taken < sent + 1) await sleep(1)
  rude.destroy()
  await sleep(50)
  assert.ok(taken < sent + 200, 'what was not begun is forgotten with its connection')
})

test('of one connection that sends on and on only so much is read in advance', async () => {
  const sent = 2_000
  let [ahead, most] = [0, 0]
  const open = await listening(
    async (request, response) => {
      await nextTurn()
      ahead -= 1
      response.end(`<${request.url}>`)
    },
    { onRead: () => void (most = Math.max(most, ++ahead)) },
  )
  const socket = open()
  socket.write(requests(sent, longer))
  assert.equal((await answered(socket, sent)).length, sent)
  assert.ok(most < sent / 2, `${most} were`)
})

const number: RequestListener = ({ url }, response) => void response.end(`<${url}>`)

test('a connection ends with the last request that can wait, however many more have come with it', async () => {
  let read = 0
  const open = await listening(number, { onRead: () => void (read += 1) })
  const paths = await allAnswered(open(), 2_000)
  assert.ok(read > 250 && read < 350, `${read} were read`)
  assert.deepEqual(paths, [...Array(read).keys()])
})

test('so much can wait, not so many: a request of many headers counts for as many as it takes the place of', async () => {
  let read = 0
  const open = await listening(number, { onRead: () => void (read += 1) })
  const socket = open()
  socket.on('error', () => {}).write(requests(200, 'a:b\r\n'.repeat(900)))
  const paths = await answered(socket, 200)
  assert.ok(read > 5 && read < 30, `${read} were read`)
  assert.equal(paths.length, read)
})

test('who sends more than can wait, and reads late, is answered whatever could', async () => {
  const body = 'x'.repeat(1_000)
  const open = await listening(({ url }, response) => void response.end(`${body}<${url}>`))
  const socket = open()
  socket.pause().on('error', () => {})
  // More than is read at once, so that something is on the way when the last answer goes.
  socket.write(requests(20_000))
  await sleep(700)
  const paths = await answered(socket, 20_000)
  assert.ok(paths.length > 250, `${paths.length} were`)
})

test('whatever follows the last request that can wait, those before are answered', async () => {
  let read = 0
  const open = await listening(number, { onRead: () => void (read += 1) })
  await allAnswered(open(), 2_000)
  const most = read
  const socket = open()
  socket.on('error', () => {})
  socket.write(requests(most) + requests(1, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
  assert.equal((await answered(socket, most + 1)).length, most)
})

/** The last of so many is a form, of which not all has come. */
async function beginsForm(open: () => Socket, before: number): Promise<Socket> {
  const socket = open()
  socket.on('error', () => {})
  socket.write(`${requests(before)}POST /${before} HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n`)
  await sleep(50)
  return socket
}

test('the body of the last request that can wait is read', async () => {
  let read = 0
  const open = await listening(
    async (request, response) => {
      let length = 0
      for await (const chunk of request) length += chunk.length
      response.end(`${length}<${request.url}>`)
    },
    { onRead: () => void (read += 1) },
  )
  await allAnswered(open(), 2_000)
  const last = read - 1

  const socket = await beginsForm(open, last)
  const told = answered(socket, last + 1)
  socket.write('x'.repeat(200_000))
  assert.deepEqual((await told).at(-1), last)
})

test('who goes while as much of theirs waits as can is let go', async () => {
  const served = new Set<Socket>()
  const open = await listening(
    async (request, response) => {
      await once(request.resume(), 'end').catch(() => {})
      response.end()
    },
    {
      onRead: ({ socket }) => {
        if (served.has(socket)) return
        served.add(socket)
        socket.once('close', () => served.delete(socket))
      },
    },
  )
  for (const before of [1, 200, 300, 310, 320, 2_000]) (await beginsForm(open, before)).destroy()
  while (served.size > 0) await sleep(20)
})

test('what comes after a connection was ended is not made a request of, and it is let go', async () => {
  const closed = Promise.withResolvers<void>()
  let read = 0
  const open = await listening(({ socket }) => void socket.end('no'), {
    onRead: ({ socket }) => {
      read += 1
      socket.once('close', () => closed.resolve())
    },
  })
  const socket = open().on('error', () => {})
  socket.write(requests(1))
  await once(socket, 'data')
  socket.write(requests(20_000))
  await closed.promise
  assert.equal(read, 1)
})

test('of a connection that is paused nothing more is read, whatever had paused it before', async () => {
  let newest: IncomingMessage | undefined
  const open = await listening(() => {}, { onRead: (request) => void (newest = request) })
  const socket = open()
    .on('error', () => {})
    .setNoDelay(true)
  socket.write(requests(63))
  await sleep(50)
  // Node itself pauses for this body, and reads on when all of it has come.
  socket.write(`POST /63 HTTP/1.1\r\nHost: a\r\nContent-Length: 65600\r\n\r\n${'x'.repeat(60_000)}`)
  await sleep(50)
  socket.write(`${'x'.repeat(5_600)}POST /64 HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n`)
  await sleep(50)
  socket.write(Buffer.alloc(10_000_000))
  await sleep(300)
  assert.equal(newest?.url, '/64')
  assert.ok(newest.readableLength < 200_000, `${newest.readableLength} bytes were`)
})

test('of all connections only so much waits: then nobody sends in advance, until they have gone', async () => {
  let read = 0
  const open = await listening(
    (request, response) => {
      if (request.url !== '/wait') response.end(`<${request.url}>`)
    },
    { onRead: () => void (read += 1) },
  )
  const flood = () => {
    const socket = open().on('error', () => {})
    socket.write(requests(300).replaceAll(/\/\d+ /g, '/wait '))
    return socket
  }
  const sockets = Array.from({ length: 70 }, flood)
  while (read <= 12_000) await sleep(10)
  await sleep(200)
  assert.ok(read < 18_000, `${read} were read`)
  assert.deepEqual(await allAnswered(open(), 1), [0])
  assert.deepEqual(await allAnswered(open(), 300), [0, 1])

  for (const socket of sockets) socket.destroy()
  while ((await allAnswered(open(), 300)).length < 300) await sleep(20)
})

test('nothing waits for who has gone before their turn came', async () => {
  const body = Buffer.alloc(4_000_000)
  const ended = Promise.withResolvers<void>()
  const open = await listening(async ({ url }, response) => {
    if (url === '/long') await ended.promise
    response.end(url === '/long' ? body : `<${url}>`)
  })
  const indebted = Array.from({ length: 40 }, open)
  for (const socket of indebted) socket.resume().write(requests(2).replaceAll(/\/\d+ /g, '/long '))
  await sleep(100)
  // All have to rest for seconds now.
  ended.resolve()
  await sleep(100)
  const sockets = Array.from({ length: 70 }, open)
  for (const socket of sockets) socket.on('error', () => {}).write(requests(300))
  await sleep(300)
  for (const socket of [...indebted, ...sockets]) socket.destroy()
  await sleep(100)
  assert.equal((await allAnswered(open(), 300)).length, 300)
})

test('some hundreds are read before the first is answered, the one that had come in part among them', async () => {
  const sent = 300
  const open = await listening(
    async (request, response) => {
      await sleep(5)
      response.end(`<${request.url}>`)
    },
    { headersTimeout: 1_000, connectionsCheckingInterval: 100 },
  )
  const socket = open()
  const text = requests(sent)
  socket.write(text.slice(0, -100))
  await sleep(50)
  socket.write(text.slice(-100))
  assert.equal((await answered(socket, sent)).length, sent)
})

test('after the last answer of a connection nothing that it sent is done', async () => {
  const done: unknown[] = []
  const open = await listening(async (request, response) => {
    done.push(request.url)
    await nextTurn()
    response.setHeader('connection', 'close').end(`<${request.url}>`)
  })
  const socket = open()
  socket.write(requests(3))
  assert.deepEqual(await answered(socket, 3), [0])
  await sleep(50)
  assert.deepEqual(done, ['/0'])
})

test('who is refused while much of theirs waits is let go, though nobody reads on', async () => {
  const ended = Promise.withResolvers<void>()
  const open = await listening(async ({ socket }) => {
    socket.once('close', () => ended.resolve())
    await sleep(20)
    socket.end('no')
  })
  open()
    .on('error', () => {})
    .resume()
    .write(requests(1_000, longer))
  await ended.promise
})

test('who sends in advance takes turns from the first request on, and who does not begins at once', async () => {
  let [read, turns] = [0, 0]
  const begun: unknown[] = []
  const open = await listening(
    (request, response) => {
      begun.push([request.url, read, turns])
      response.end(`<${request.url}>`)
    },
    {
      onRead: () => {
        if (++read === 1) setImmediate(() => (turns += 1))
      },
    },
  )
  const patient = open()
  patient.write(requests(1))
  await answered(patient, 1)
  read = turns = 0
  const hasty = open()
  hasty.write(requests(3))
  await answered(hasty, 3)
  assert.deepEqual(begun.slice(0, 2), [
    ['/0', 1, 0],
    ['/0', 3, 1],
  ])
})

test('who has waited for every answer begins at once, until they send in advance', async () => {
  let read = 0
  const begun: unknown[] = []
  const open = await listening(
    (request, response) => {
      begun.push([request.url, read])
      response.end(`<${request.url}>`)
    },
    { onRead: () => void (read += 1) },
  )
  const socket = open()
  for (const sent of [1, 2, 2]) {
    read = 0
    socket.write(requests(sent))
    while (begun.length < sent || !begun.slice(-1).every((last) => Object(last)[0] === `/${sent - 1}`)) await sleep(1)
    // The answer has gone by then.
    await sleep(20)
  }
  const [, second, , third] = begun
  assert.deepEqual(
    [second, third],
    [
      ['/0', 1],
      ['/0', 2],
    ],
  )
})

test('who sends in advance is charged for the sending of the answers, too', async () => {
  const areEnded: boolean[] = []
  const open = await listening((request, response) => {
    endTogether(response, `<${request.url}>`)
    queueMicrotask(() => areEnded.push(response.writableEnded))
  })
  const socket = open()
  socket.write(requests(20))
  await answered(socket, 20)
  assert.deepEqual(areEnded, Array(20).fill(true))
})

test('what waits when its connection goes is forgotten without looking for the place where that happened', async () => {
  const read: ServerResponse[] = []
  const open = await listening(() => {}, { onRead: (_, response) => void read.push(response) })
  const socket = open()
  socket.write(requests(20))
  while (read.length < 20) await sleep(1)
  socket.destroy()
  const waiting = read.slice(1)
  for (const response of waiting) if (!response.closed) await once(response, 'close')
  assert.deepEqual(new Set(waiting.map(({ errored }) => errored?.stack)), new Set(['Error: aborted']))
  assert.match(new Error('later').stack ?? '', / at /)
})

test('however many connections send in advance, a few are answered between two turns of everybody else', async () => {
  let isOver = false
  let [thisTurn, most] = [0, 0]
  const open = await listening((request, response) => {
    if (request.url !== '/0') most = Math.max(most, ++thisTurn)
    response.end(`<${request.url}>`)
  })
  const turns = (async () => {
    for (; !isOver; await nextTurn()) thisTurn = 0
  })()
  const sockets = Array.from({ length: 40 }, open)
  for (const socket of sockets) socket.write(requests(100))
  for (const socket of sockets) assert.equal((await answered(socket, 100)).length, 100)
  isOver = true
  await turns
  assert.ok(most <= 4, `${most} were`)
})

test('who has waited for an answer does not owe for it when they send in advance later', async () => {
  const [connections, body] = [40, Buffer.alloc(4_000_000)]
  const open = await listening(({ url }, response) => void response.end(url === '/long' ? body : `<${url}>`))
  const sockets = Array.from({ length: connections }, open)
  const hasten = (socket: Socket) => {
    socket.write(requests(2))
    return heard(socket, '</1>')
  }
  for (const socket of sockets) {
    await hasten(socket)
    socket.write(`${requests(1).replace('/0', '/long')}`)
    await heard(socket, '\0'.repeat(1_000), body.length)
  }
  const began = performance.now()
  await Promise.all(sockets.map(hasten))
  const ms = performance.now() - began
  assert.ok(ms < (connections * 4 * 4 * 4) / 2, `it took ${ms.toFixed(0)} ms`)
})

/** Until this comes at the end, after so many bytes. */
async function heard(socket: Socket, end: string, bytes = 0): Promise<void> {
  for (let read = 0; ; ) {
    const [chunk] = await once(socket, 'data')
    read += chunk.length
    if (read >= bytes && String(chunk.subarray(-end.length)) === end) return
  }
}

test('what many answers cost that end at once is not forgotten', async () => {
  const [connections, body] = [80, Buffer.alloc(1_000_000)]
  const open = await listening(async (request, response) => {
    if (request.url === '/0') await sleep(100)
    response.end(request.url === '/0' ? body : '<1>')
  })
  const began = performance.now()
  const sockets = Array.from({ length: connections }, open)
  const ends = sockets.map(async (socket) => {
    socket.write(requests(2))
    for await (const chunk of socket) if (String(chunk).endsWith('<1>')) break
  })
  await Promise.all(ends)
  const ms = performance.now() - began
  assert.ok(ms > connections * 4 * 4 * 0.9, `it took ${ms.toFixed(0)} ms`)
})

test('who sends in advance waits for nine times of what it took to read that', async () => {
  const [sent, msEach] = [25, 4]
  const open = await listening(number, {
    onRead: () => {
      const began = performance.now()
      while (performance.now() - began < msEach);
    },
  })
  const began = performance.now()
  const socket = open()
  socket.write(requests(sent))
  assert.equal((await answered(socket, sent)).length, sent)
  const ms = performance.now() - began
  assert.ok(ms > (sent - 1) * msEach * 9, `it took ${ms.toFixed(0)} ms`)
})

test('who sends in advance waits for four times of what a slow machine takes to send so much', async () => {
  const megabytes = 20
  const body = Buffer.alloc(1_000_000)
  const open = await listening(async (_, response) => {
    await nextTurn()
    response.end(body)
  })
  const began = performance.now()
  const socket = open()
  socket.write(requests(megabytes))
  for await (const _ of socket) if (socket.bytesRead > megabytes * body.length) break
  const ms = performance.now() - began
  assert.ok(ms > (megabytes - 1) * 4 * 4 * 0.9, `it took ${ms.toFixed(0)} ms`)
})
