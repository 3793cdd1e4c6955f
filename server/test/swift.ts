import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts } from './free-ports.ts'

const programs = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
]
const packages = 'swift-proxy swift-account swift-container swift-object memcached'

export interface Swift {
  storageUrl: URL
  stop(): Promise<void>
}

/** Why the object storage cannot be had on this machine; undefined when it can. */
export function swiftMissing(): string | undefined {
  const absent = programs.filter((program) => !existsSync(`/usr/bin/${program}`))
  if (absent.length > 0) return `${absent.join(', ')} not found: apt-get install --no-install-recommends ${packages}`
  return existsSync('/etc/swift/swift.conf') ? undefined : '/etc/swift/swift.conf not found'
}

/** OpenStack's object storage with its S3 interface, on one machine, with one copy of everything. */
export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'keystall-swift-'))
  await mkdir(join(folder, 'node', 'd1'), { recursive: true })
  const [proxy = 0, account = 0, container = 0, object = 0, memcached = 0] = await freePorts(5)
  const children: ChildProcess[] = []
  const stop = async () => {
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const servers = Object.entries({ account, container, object })
    await makeRings(folder, servers)
    for (const [kind, port] of servers) {
      await writeFile(join(folder, `${kind}.conf`), serverConf(folder, kind, port))
      children.push(spawn(`/usr/bin/swift-${kind}-server`, [join(folder, `${kind}.conf`)], { stdio: 'ignore' }))
    }
    await writeFile(join(folder, 'proxy.conf'), proxyConf(folder, proxy, memcached))
    const listen = ['-l', '127.0.0.1', '-p', String(memcached), '-u', userInfo().username]
    children.push(spawn('/usr/bin/memcached', listen, { stdio: 'ignore' }))
    children.push(spawn('/usr/bin/swift-proxy-server', [join(folder, 'proxy.conf')], { stdio: 'ignore' }))
    await answers(`http://127.0.0.1:${proxy}/healthcheck`)
  } catch (error) {
    await stop()
    throw error
  }
  return { storageUrl: new URL(`s3://test%3Atester:testing@127.0.0.1:${proxy}/bucket?tls=off`), stop }
}

/** Where each copy lies: all on one device. In one run of Python, which takes longer to start than to do it. */
async function makeRings(folder: string, servers: [kind: string, port: number][]): Promise<void> {
  const script = `
import sys
from swift.common.ring import RingBuilder
for word in sys.argv[2:]:
    kind, port = word.split(':')
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'ip': '127.0.0.1', 'port': int(port),
                     'replication_ip': '127.0.0.1', 'replication_port': int(port), 'device': 'd1', 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(sys.argv[1] + '/' + kind + '.ring.gz')
`
  const words = servers.map(([kind, port]) => `${kind}:${port}`)
  await promisify(execFile)('/usr/bin/python3', ['-c', script, folder, ...words])
}

function common(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
workers = 0
log_level = ERROR
log_address = /nowhere
`
}

function serverConf(folder: string, kind: string, port: number): string {
  return `${common(folder, port)}devices = ${join(folder, 'node')}
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`
}

function proxyConf(folder: string, port: number, memcached: number): string {
  return `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await sleep(100)
  }
  throw new Error('the object storage did not start')
}
