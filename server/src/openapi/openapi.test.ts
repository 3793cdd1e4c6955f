import assert from 'node:assert/strict'
import { Agent, get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished, test } from 'vitest'
import { createListener } from '#platform/http/server'
import { useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

test('whoever asks while the API description is printed for the first time is answered before it', async () => {
  const listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => {
    agent.destroy()
    listener.close()
  })
  const begun: string[] = []
  const ask = async (path: string) => {
    const { host } = server.platform.config.apiUrl
    const at = { agent, host: '127.0.0.1', port: Object(listener.address()).port, path, headers: { host } }
    const response = await new Promise<IncomingMessage>((resolve) => get(at, resolve))
    begun.push(path)
    return Object(await json(response))
  }
  await Promise.all([ask('/health'), ask('/health'), ask('/health')])
  begun.length = 0
  // What is nowhere is answered without the database, however long that takes.

  const [first, , second] = await Promise.all([ask('/openapi.json'), ask('/nowhere'), ask('/openapi.json')])
  assert.deepEqual(begun, ['/nowhere', '/openapi.json', '/openapi.json'])
  assert.equal(first.openapi, '3.1.0')
  assert.ok(first.paths['/health'] && first.components.schemas.Failure)
  assert.deepEqual(second, first)
})
