import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { beginConsent, finishConsent, Keystall } from '@keystall/client'

const { APP_ID: appId, CLIENT_SECRET: clientSecret } = process.env
const baseUrl = process.env.API_URL ?? 'http://localhost:8080'
const dashUrl = process.env.DASH_URL ?? 'http://dash.localhost:8080'
const port = Number(process.env.PORT ?? 3000)
const redirectUrl = `http://localhost:${port}/back`

// What is known of a visitor. A real app keeps this in its database, and the key sealed.
const visitors = new Map()

createServer(async (request, response) => {
  const known = /visitor=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const id = known ?? randomUUID()
  const visitor = visitors.get(id) ?? {}
  visitors.set(id, visitor)
  const cookie = `visitor=${id}; HttpOnly; SameSite=Lax; Path=/`
  const goTo = (location) => response.writeHead(303, { location, 'set-cookie': cookie }).end()
  try {
    if (request.url === '/connect') {
      visitor.consent = await beginConsent({ dashUrl, appId, redirectUrl })
      return goTo(visitor.consent.url)
    }
    if (request.url.startsWith('/back') && visitor.consent) {
      const { consent } = visitor
      const exchange = { appId, clientSecret, consent, returnedUrl: request.url }
      visitor.apiKey = await finishConsent(new Keystall({ baseUrl }), exchange)
      return goTo('/')
    }
    const page = visitor.apiKey ? await orders(visitor.apiKey) : '<a href="/connect">Connect your stores</a>'
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': cookie }).end(page)
  } catch (error) {
    response.writeHead(502, { 'content-type': 'text/plain' }).end(`${error.code}: ${error.message}`)
  }
}).listen(port)

async function orders(apiKey) {
  const keystall = new Keystall({ baseUrl, apiKey })
  const rows = []
  for (const { id: storeId, name } of (await keystall.getUser()).stores) {
    for await (const order of keystall.listOrders({ storeId, count: 100 })) {
      rows.push(`<tr><td>${escape(name)}<td>${order.id}<td>${order.status}<td>${order.cost}</tr>`)
    }
  }
  return `<h1>Your orders</h1><table>${rows.join('')}</table>`
}

function escape(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
