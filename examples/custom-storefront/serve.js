import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

// The page, its script and the client; any file server would do.
const here = new URL('.', import.meta.url)
const files = {
  '/': ['text/html; charset=utf-8', new URL('shop.html', here)],
  '/shop.js': ['text/javascript', new URL('shop.js', here)],
}

createServer(async (request, response) => {
  const path = request.url.split('?', 1)[0]
  const [, name] = /^\/client\/(\w+\.js)$/.exec(path) ?? []
  const [type, file] = name
    ? ['text/javascript', new URL(name, import.meta.resolve('@keystall/client'))]
    : (files[path] ?? [])
  if (!file) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': type }).end(await readFile(file))
}).listen(Number(process.env.PORT ?? 3000))
