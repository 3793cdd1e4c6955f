import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name. Throws when there are none. */
export type Resolve = (name: string) => Promise<string[]>

/** The machine's own way, hosts file included; or those name servers alone. */
export function createResolver(servers: readonly string[] = []): Resolve {
  if (servers.length === 0) {
    return async (name) => (await lookup(name, { all: true })).map((found) => found.address)
  }
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length === 0) throw new Error(`no address for ${name}`)
    return found
  }
}
