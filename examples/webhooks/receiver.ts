import { createServer } from 'node:http'
import { verifyWebhook } from '@keystall/client'

const secret = process.env['WEBHOOK_SECRET'] ?? ''
const seen = new Set<string>()

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const message = await verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(chunks) })
    // A message may come more than once: its id is the same each time.
    if (!seen.has(message.id)) console.log(message.type, message.data['orderId'])
    seen.add(message.id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}).listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'])
