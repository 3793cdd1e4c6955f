import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { verifyWebhook } from '@keystall/client'

const secret = process.env.WEBHOOK_SECRET
const port = Number(process.env.PORT ?? 3000)

// A licence is made from the order, so a repeated request gets the same one again.
function licence({ orderId, productId }, number) {
  const digest = createHmac('sha256', secret).update(`${orderId} ${productId} ${number}`).digest('hex')
  return digest
    .slice(0, 20)
    .toUpperCase()
    .replace(/.{5}(?=.)/g, '$&-')
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const { type, data } = await verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(chunks) })
    if (type !== 'product.dynamic') return response.writeHead(204).end()
    const items = Array.from({ length: data.quantity }, (_, number) => licence(data, number))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }))
  } catch (error) {
    response.writeHead(401).end(error.message)
  }
}).listen(port, process.env.HOST)
