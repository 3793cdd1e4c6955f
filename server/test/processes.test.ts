import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get as httpGet } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStore, replaceStoreImage } from '@keystall/contract/endpoints/stores'
import sharp from 'sharp'
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, test } from 'vitest'
import { badUploads } from './bad-uploads.ts'
import { root } from './imports.ts'
import { freePort } from './free-ports.ts'
import { aKeyOfANewSeller, clientOf } from './product.ts'

// The product as a newcomer starts it: a process of its own with its own database.

let dataDir: string
let port: number
const children: ChildProcess[] = []

// One data folder for all: only the first start has a database to make.
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root })
  dataDir = await mkdtemp(join(tmpdir(), 'keystall-process-'))
}, 60_000)

afterAll(async () => {
  // A start that fails tells its database to end, and does not wait for it.
  while (processesOf(dataDir).length > 0) await sleep(20)
  await rm(dataDir, { recursive: true, force: true })
})

beforeEach(async () => {
  port = await freePort()
})

afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGTERM')
})

interface Started {
  child: ChildProcess
  printed: () => string
}

function start(env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, ['server/dist/main.js'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (printed += chunk))
  return { child, printed: () => printed }
}

async function ready({ child, printed }: Started): Promise<void> {
  while (!printed().includes('Ctrl-C stops it.')) {
    assert.isNull(child.exitCode, printed())
    await sleep(20)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

/** Processes whose command line names the data folder. */
function processesOf(folder: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(folder) && !line.includes('ps -eo'))
}

function childrenOf({ pid }: ChildProcess): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid'], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

/** By the Host header: only browsers know every name under localhost. */
function get(host: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: `${host}:${port}` }
    const request = httpGet({ port, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    request.on('error', reject)
  })
}

describe('npm start', () => {
  test('prints the addresses, answers on each host, and Ctrl-C leaves no process behind', async () => {
    const started = start()
    await ready(started)
    assert.match(started.printed(), /Keystall is ready, \d+\.\d\d s after the start/)
    assert.include(started.printed(), `http://demo.localhost:${port}`)
    assert.include(started.printed(), `http://dash.localhost:${port}`)
    assert.equal((await get('localhost', '/health/ready')).status, 200)
    assert.match((await get('dash.localhost', '/sign-in')).text, /<div id="root">/)
    assert.equal((await get('demo.localhost', '/')).status, 200)
    assert.equal((await get('nobody.localhost', '/')).status, 404)
    // From the terminal and from npm, while somebody is still connected: the second changes nothing.
    const guest = connect(port)
    guest.write(`GET /health HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
    await once(guest, 'data')
    started.child.kill('SIGINT')
    await sleep(100)
    assert.equal(await end(started.child, 'SIGINT'), 0)
    guest.destroy()
    assert.deepEqual(processesOf(dataDir), [])
  })

  test('what was built refuses every broken picture: the libraries in it know their own errors', async () => {
    await ready(start({ RATE_LIMITS: 'off' }))
    const apiKey = await aKeyOfANewSeller({ dataDir, port, command: 'server/dist/keystall.js' })
    const { data: store } = await clientOf(port, apiKey)(createStore, { body: { name: 'Pictures', url: 'pictures' } })
    const url = `http://localhost:${port}/stores/${store.id}/image`
    const send = async (type: string, body: Buffer) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type }
      const { status } = await fetch(url, { method: replaceStoreImage.method, headers, body: new Uint8Array(body) })
      return status
    }
    const blank = { width: 64, height: 64, channels: 3, background: 'teal' } as const
    const picture = await sharp({ create: blank }).png().toBuffer()
    const end = '\r\n--b--\r\n'
    const begin = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
    const form = (part: Buffer) => Buffer.concat([Buffer.from(begin), part, Buffer.from(end)])
    assert.equal(await send('multipart/form-data; boundary=b', form(picture)), 200)
    assert.equal(await send('multipart/form-data; boundary=b', form(picture.subarray(0, 8))), 400)

    const forms = [...badUploads({ part: 'image', accepts: 'image/png' })].filter(([sort]) => sort === 'broken forms')
    for (const [, kind, type, write] of forms) assert.include([400, 413, 415], await send(type, write()), kind)
    assert.isAbove(forms.length, 40)
  })

  test('the secret key of the first start is kept for its owner alone', async () => {
    const key = await readFile(join(dataDir, 'secret.key'))
    assert.isAbove(key.length, 31)
    assert.match(execFileSync('ls', ['-l', join(dataDir, 'secret.key')], { encoding: 'utf8' }), /^-rw-------/)
  })

  test('SIGHUP puts a new process behind the listener: nobody is turned away, and the database stays', async () => {
    const started = start({ WORKERS: '1', RATE_LIMITS: 'off' })
    await ready(started)
    const database = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    const statuses = new Set<number>()
    started.child.kill('SIGHUP')
    while (!started.printed().includes('Keystall was replaced.')) {
      assert.isNull(started.child.exitCode, started.printed())
      // Each on a connection of its own: one that nobody took would throw.
      statuses.add((await get('localhost', '/health')).status)
    }
    assert.deepEqual([...statuses], [200])
    assert.equal((await get('localhost', '/health/ready')).status, 200)
    assert.equal(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), database)

    const [old] = childrenOf(started.child)
    started.child.kill('SIGHUP')
    while (childrenOf(started.child).length < 2) await sleep(10)
    process.kill(old ?? 0, 'SIGKILL')
    while (started.printed().split('Keystall was replaced.').length < 3) await sleep(20)
    assert.equal(childrenOf(started.child).length, 1, 'who dies while it is replaced is not replaced twice')
    assert.equal(await end(started.child, 'SIGTERM'), 0)
    assert.deepEqual(processesOf(dataDir), [])
  })

  test('a wrong setting stops the start with one line that names it', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'eighty' }, /^Keystall did not start: PORT="eighty" must be a whole number from 1 to 65535\n$/],
      [{ DNS_SERVERS: 'nobody' }, /^Keystall did not start: DNS_SERVERS="nobody" must be .+\n$/],
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, /^Keystall did not start: DATABASE_URL .+ECONNREFUSED.+\n$/],
      [{ DATA_DIR: '/dev/null/data' }, /^Keystall did not start: DATA_DIR cannot be written to: ENOTDIR.+\n$/],
    ]
    await Promise.all(
      wrong.map(async ([env, line]) => {
        const { child, printed } = start(env)
        await new Promise((resolve) => child.once('close', resolve))
        assert.equal(child.exitCode, 1)
        assert.match(printed(), line)
      }),
    )
  })

  test('of several processes each tells once why it did not start, and none is tried for ever', async () => {
    let connections = 0
    const database = createServer((socket) => {
      connections += 1
      // One of them fails when the other has failed long ago.
      setTimeout(() => socket.destroy(), connections === 1 ? 0 : 1_500)
    }).listen(0, '127.0.0.1')
    await once(database, 'listening')
    const url = `postgres://127.0.0.1:${Object(database.address()).port}/x`
    const { child, printed } = start({ WORKERS: '2', DATABASE_URL: url })
    await new Promise((resolve) => child.once('close', resolve))
    database.close()
    assert.equal(child.exitCode, 1)
    assert.equal(connections, 2, printed())
  })

  test('a port in use is told in one line', async () => {
    const taken = createServer().listen(port)
    const { child, printed } = start()
    await new Promise((resolve) => child.once('exit', resolve))
    assert.equal(child.exitCode, 1)
    assert.match(printed(), /^Keystall did not start: .*EADDRINUSE.*\n$/)
    taken.close()
  })
})
