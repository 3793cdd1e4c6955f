import { createServer, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { checkReadiness } from '@keystall/contract/endpoints/health'
import { getStore } from '@keystall/contract/endpoints/stores'
import { afterAll, assert, beforeAll, test } from 'vitest'
import { sql } from 'kysely'
import { watchSlowStatements } from '#platform/db/watching'
import { createListener } from '#platform/http/server'
import { aSeller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { startTraces } from './traces.ts'

const server = useServer({ hasJobs: false })
const bodies: string[] = []
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    bodies.push(`${request.url} ${Buffer.concat(chunks)}`)
    response.end('{}')
  })
})
let url: URL
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  url = new URL(`http://127.0.0.1:${Object(collector.address())['port']}`)
})
afterAll(() => {
  collector.close()
})

test('a request is a span of the caller’s trace, its statements are parts of it, and no value is told', async () => {
  const seller = await aSeller(server)
  const traces = startTraces({ url, onTrouble: (error) => assert.fail(String(error)) })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await call(
    server,
    getStore,
    { path: { storeId: seller.storeId }, headers: { traceparent } },
    { apiKey: seller.apiKey },
  )
  await traces.stop()
  await call(server, checkReadiness)

  const [sent = '', ...others] = bodies
  assert.deepEqual(others, [])
  assert.ok(sent.startsWith('/v1/traces '))
  const { spans } = JSON.parse(sent.slice('/v1/traces '.length)).resourceSpans[0].scopeSpans[0]
  const request = spans.find(({ kind }: { kind: number }) => kind === 2)
  assert.include(request, { name: 'GET /stores/{storeId}', parentSpanId: 'b7ad6b7169203331' })
  const statements = spans.filter(({ kind }: { kind: number }) => kind === 3)
  assert.isAbove(statements.length, 0)
  for (const { traceId, parentSpanId } of statements) {
    assert.deepEqual([traceId, parentSpanId], ['0af7651916cd43dd8448eb211c80319c', request.spanId])
  }
  assert.notInclude(sent, seller.storeId)
})

test('an answer that is kept is a span too, of the caller’s trace', async () => {
  const { storeId } = await aSeller(server)
  const listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  bodies.length = 0
  const traces = startTraces({ url, onTrouble: (error) => assert.fail(String(error)) })
  for (const parent of ['b7ad6b7169203331', 'b7ad6b7169203332']) {
    const answered = await new Promise<IncomingMessage>((resolve) =>
      get(
        {
          port: Object(listener.address())['port'],
          path: `/stores/${storeId}/view_id`,
          headers: {
            host: server.platform.config.apiUrl.host,
            traceparent: `00-0af7651916cd43dd8448eb211c80319c-${parent}-01`,
          },
        },
        resolve,
      ),
    )
    assert.equal(answered.statusCode, 200)
    await answered.toArray()
  }
  await traces.stop()
  listener.close().closeAllConnections()

  const spans = bodies.flatMap((body) => JSON.parse(body.slice(body.indexOf('{'))).resourceSpans[0].scopeSpans[0].spans)
  assert.deepEqual(
    spans.filter(({ kind }) => kind === 2).map(({ name, parentSpanId }) => [name, parentSpanId]),
    [
      ['GET /stores/{storeId}/view_id', 'b7ad6b7169203331'],
      ['GET /stores/{storeId}/view_id', 'b7ad6b7169203332'],
    ],
  )
})

test('requests that are sent in advance are spans of their own callers’ traces', async () => {
  const listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  bodies.length = 0
  const traces = startTraces({ url, onTrouble: (error) => assert.fail(String(error)) })
  const parents = ['b7ad6b7169203331', 'b7ad6b7169203332', 'b7ad6b7169203333']
  const requests = parents.map((parent, index) => {
    const ending = index === parents.length - 1 ? 'close' : 'keep-alive'
    const head = `GET /health/ready HTTP/1.1\r\nHost: ${server.platform.config.apiUrl.host}\r\nConnection: ${ending}\r\n`
    return `${head}Traceparent: 00-0af7651916cd43dd8448eb211c80319c-${parent}-01\r\n\r\n`
  })
  const socket = connect(Object(listener.address())['port'], '127.0.0.1')
  socket.write(requests.join(''))
  await socket.toArray()
  await traces.stop()
  listener.close()

  const spans = bodies.flatMap((body) => JSON.parse(body.slice(body.indexOf('{'))).resourceSpans[0].scopeSpans[0].spans)
  assert.deepEqual(
    spans.filter(({ kind }) => kind === 2).map(({ parentSpanId }) => parentSpanId),
    parents,
  )
})

test('a slow statement is told by its text', async () => {
  const told: { statement: string }[] = []
  watchSlowStatements({ afterMs: 30, tell: (slow) => told.push(slow) })
  await sql`select pg_sleep(${0.05}), ${'a secret'}::text`.execute(server.platform.db)
  watchSlowStatements({ afterMs: 0, tell: () => assert.fail('it was told') })
  await sql`select pg_sleep(0.05)`.execute(server.platform.db)
  assert.deepEqual(
    told.map(({ statement }) => statement),
    ['select pg_sleep($1), $2::text'],
  )
})
