import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '@keystall/contract/endpoints/index'
import { openapiPieces } from '../server/src/platform/http/openapi.ts'
import { freePort } from '../server/test/free-ports.ts'

// Runs the API's tests with Prism between them and the product: every request that is taken, and every answer, must be
// as the API description says. `npm run prism -- server/src/coupons` runs some. Prism is fetched when it is needed:
// two hundred packages for one check are not part of every install.

const version = '5.16.0'
const folder = mkdtempSync(join(tmpdir(), 'keystall-prism-'))
const report = join(folder, 'report.jsonl')
writeFileSync(report, '')
writeFileSync(join(folder, 'openapi.json'), [...openapiPieces(endpoints)].join(''))

const prism = process.env['PRISM'] ?? install()
const router = await startRouter()
const prismPort = await freePort()
// Silent: what it prints of a request that is odd enough ends its process.
const words = ['--port', String(prismPort), '--verboseLevel', 'silent']
const child = spawn(
  process.execPath,
  [prism, 'proxy', join(folder, 'openapi.json'), `http://127.0.0.1:${router}`, ...words],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)
process.once('exit', () => child.kill())
await ready()
const files = process.argv.slice(2)
const tests = spawn('vitest', ['run', ...(files.length > 0 ? files : ['server'])], {
  stdio: 'inherit',
  env: { ...process.env, PRISM_URL: `http://127.0.0.1:${prismPort}`, PRISM_REPORT: report },
})
await new Promise((resolve) => tests.once('exit', resolve))
const hasLasted = child.exitCode === null
child.kill()

interface Line {
  method: string
  path: string
  status: number
  /** Whether the answer came from the product, not from Prism itself. */
  isSeen: boolean
  odd: { message: string; location: string[] }[]
}

const lines: Line[] = readFileSync(report, 'utf8')
  .trim()
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
const bad = lines.filter(({ odd }) => odd.length > 0)
for (const { method, path, status, odd } of bad.slice(0, 50)) {
  console.log(
    `${status} ${method} ${path}: ${odd.map(({ location, message }) => `${location.join('.')} ${message}`).join('; ')}`,
  )
}
const unseen = lines.filter(({ isSeen }) => !isSeen)
for (const { method, path, status } of unseen) console.log(`${status} ${method} ${path}: not answered by the product`)
console.log(
  `${lines.length} calls through Prism, ${bad.length} violations, ${unseen.length} not answered by the product`,
)
if (!hasLasted) console.log('Prism ended before the tests did: what came after was not looked at')
rmSync(folder, { recursive: true, force: true })
process.exit(hasLasted && lines.length > 0 && bad.length === 0 ? 0 : 1)

function install(): string {
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts']
  const { status } = spawnSync('npm', [...install, `@stoplight/prism-cli@${version}`], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Prism could not be installed')
  return join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
}

/** Every test file has a server of its own: the request names its port. */
async function startRouter(): Promise<number> {
  const server = createServer(async (request, response) => {
    const { 'x-upstream-port': port, 'x-upstream-host': host, 'transfer-encoding': _, ...headers } = request.headers
    // Whoever gave up waiting needs no answer.
    const body = await buffer(request).catch(() => undefined)
    if (!body) return void response.destroy()
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
    const onward = forward(
      {
        host: '127.0.0.1',
        port: Number(port),
        method: request.method,
        path: request.url,
        headers: { ...headers, host: String(host), ...length },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        pipeline(answer, response).catch(() => undefined)
      },
    )
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return Object(server.address())['port']
}

async function ready(): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${prismPort}/nothing`).catch(() => undefined)
    if (answer) return
    await sleep(200)
  }
  throw new Error('Prism did not start')
}
