import { Resolver } from 'node:dns/promises'

/** What the domain name system says of a name. Nothing but DNS is asked: no connection is made to what it names. */
export interface Questions {
  texts(name: string): Promise<Answer>
  alias(name: string): Promise<Answer>
  addresses(name: string): Promise<Answer>
}

/** Empty when there is no such record; `unknown` when nobody answered, which says nothing about the name. */
type Answer = readonly string[] | 'unknown'

const timeoutMs = 1_000
const tries = 2
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Through these name servers, or the machine's own when there are none. */
export function dnsQuestions(servers: readonly string[]): Questions {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    texts: (name) => answer(resolver.resolveTxt(name).then((texts) => texts.map((parts) => parts.join('')))),
    alias: (name) => answer(resolver.resolveCname(name)),
    addresses: async (name) => {
      const [four, six] = await Promise.all([answer(resolver.resolve4(name)), answer(resolver.resolve6(name))])
      return four === 'unknown' || six === 'unknown' ? 'unknown' : [...four, ...six]
    },
  }
}

async function answer(question: Promise<string[]>): Promise<Answer> {
  try {
    return await question
  } catch (error) {
    return absent.has(String(Object(error)['code'])) ? [] : 'unknown'
  }
}
