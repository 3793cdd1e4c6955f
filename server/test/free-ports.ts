import { once } from 'node:events'
import { createServer } from 'node:net'

/** So many at once, none twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => Number(Object(server.address()).port))
  for (const server of servers) server.close()
  return ports
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}
