import { createServer, Packet } from 'dns2'

/** Records by name and type; a name without any does not exist. */
export type Zone = Record<string, { A?: string[]; AAAA?: string[]; CNAME?: string; TXT?: string[] }>

export interface NameServer {
  /** As the setting DNS_SERVERS wants it. */
  address: string
  /** What the server answers from now on. */
  zone: Zone
  /** While true it answers that it has failed. */
  isFailing: boolean
  asked: string[]
  close(): Promise<void>
}

const nameError = 3
const serverFailure = 2

/** A real name server on loopback. */
export async function startNameServer(): Promise<NameServer> {
  const server = createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = question?.name.toLowerCase() ?? ''
      running.asked.push(name)
      const records = running.zone[name]
      if (running.isFailing) response.header.rcode = serverFailure
      else if (!records) response.header.rcode = nameError
      else response.answers.push(...answersOf(name, records, question?.type ?? 0))
      send(response).catch(() => {})
    },
  })
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const port = server.addresses().udp?.port
  const running: NameServer = {
    address: `127.0.0.1:${port}`,
    zone: {},
    isFailing: false,
    asked: [],
    close: async () => {
      await server.close()
    },
  }
  return running
}

function answersOf(
  name: string,
  { A, AAAA, CNAME, TXT }: Zone[string],
  type: number,
): InstanceType<typeof Packet>['answers'] {
  const common = { name, ttl: 1, class: Packet.CLASS.IN, toBuffer: () => Buffer.alloc(0) }
  if (CNAME !== undefined) return [{ ...common, type: Packet.TYPE.CNAME, domain: CNAME }]
  if (type === Packet.TYPE.A) return (A ?? []).map((address) => ({ ...common, type, address }))
  if (type === Packet.TYPE.AAAA) return (AAAA ?? []).map((address) => ({ ...common, type, address }))
  if (type === Packet.TYPE.TXT) return (TXT ?? []).map((data) => ({ ...common, type, data }))
  return []
}
