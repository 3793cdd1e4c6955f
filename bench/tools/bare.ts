import { createServer } from 'node:http'

// The limit of anything that answers in Node: the same bytes, and nothing else.

let status = 200
let body = Buffer.alloc(0)
let headers: Record<string, string> = {}

process.on('message', (message) => {
  const given = Object(message)
  status = given.status
  body = Buffer.from(given.body, 'base64')
  headers = given.headers
  process.send?.('ready')
})

const server = createServer((_request, response) => {
  response.writeHead(status, headers)
  response.end(status === 304 ? undefined : body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: Object(server.address()).port }))
