import type { Agent, buildConnector, Dispatcher } from 'undici'
import { type AddressRules, checkAddress, checkWebhookUrl } from './address.ts'
import { readAnswer } from './answer.ts'
import { Blocked, failureOf, SendFailure, Unresolved } from './failure.ts'
import { createGate } from './gate.ts'
import { bytesOfAddress, parseRange } from './ranges.ts'
import { createResolver, type Resolve } from './resolver.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly durationMs: number
}

export interface SendOptions {
  readonly headers: Record<string, string>
  readonly body: string | Buffer
  readonly timeoutSeconds?: number
  readonly answerBytesMax?: number
  /** Somebody waits for the answer: it does not take turns with calls that can wait. */
  readonly isAwaited?: boolean
}

/** Calls addresses that strangers chose, and never one inside our own network. */
export interface Sender {
  /** Any status but a redirect is an answer; everything else is a failure with a reason. Never throws. */
  post(url: string, options: SendOptions): Promise<Answer | SendFailure>
  close(): Promise<void>
}

export interface SenderOptions extends AddressRules {
  readonly resolve?: Resolve
  readonly inFlightPerHostMax?: number
  /** Certificates to trust besides the usual ones. */
  readonly ca?: string
}

/** A named user agent is polite; identity spares us to decode what most receivers would not compress anyway. */
export const headersOfEveryCall = { 'user-agent': 'Keystall-Webhooks', 'accept-encoding': 'identity' }

const headerBytesMax = 16 * 1024
const answerBytesMax = 1024 * 1024
const inFlightPerHostMax = 10

export function createSender(options: SenderOptions): Sender {
  const gate = createGate({ atOnce: options.inFlightPerHostMax ?? inFlightPerHostMax, waitSeconds: 5 })
  let caller: Promise<Caller> | undefined
  let isClosed = false

  async function post(url: string, sent: SendOptions): Promise<Answer | SendFailure> {
    const reason = checkWebhookUrl(url, options)
    if (reason) return new SendFailure('blocked', `The address ${reason}`)
    const { host } = new URL(url)
    const leave = await gate.enter(sent.isAwaited ? `${host} awaited` : host)
    if (!leave) return new SendFailure('busy', 'Too many calls to this host are under way')
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    const deadline = AbortSignal.timeout((sent.timeoutSeconds ?? 15) * 1000)
    try {
      caller ??= createCaller(options)
      const answer = await call(await caller, url, sent, deadline)
      return answer instanceof SendFailure ? answer.after(durationMs()) : { ...answer, durationMs: durationMs() }
    } catch (error) {
      // Cut by ourselves: it says nothing of the receiver.
      if (isClosed) return new SendFailure('busy', 'The sender was closed').after(durationMs())
      return failureOf(error, deadline).after(durationMs())
    } finally {
      leave()
    }
  }

  return {
    post,
    close: async () => {
      isClosed = true
      await (await caller)?.agent.destroy()
    },
  }
}

type Undici = typeof import('undici')

interface Caller {
  undici: Undici
  agent: Agent
}

/** Loaded with the first call: most processes never make one. */
async function createCaller(options: SenderOptions): Promise<Caller> {
  const undici = await import('undici')
  const agent = new undici.Agent({
    connect: pinnedConnector(undici, options),
    maxHeaderSize: headerBytesMax,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    // For those that somebody waits for as many again.
    connections: 2 * (options.inFlightPerHostMax ?? inFlightPerHostMax),
    allowH2: false,
  })
  return { undici, agent }
}

async function call(
  { undici, agent }: Caller,
  url: string,
  sent: SendOptions,
  deadline: AbortSignal,
): Promise<Omit<Answer, 'durationMs'> | SendFailure> {
  const reply = await undici.request(url, {
    method: 'POST',
    headers: { ...headersOfEveryCall, ...sent.headers },
    body: sent.body,
    dispatcher: agent,
    signal: deadline,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  if (reply.statusCode >= 300 && reply.statusCode < 400) {
    reply.body.on('error', () => {}).destroy()
    return new SendFailure('redirect', `The receiver answered with a redirect (${reply.statusCode})`, reply.statusCode)
  }
  const headers = plainHeaders(reply.headers)
  const body = await readAnswer(
    reply.body,
    headers['content-encoding'],
    sent.answerBytesMax ?? answerBytesMax,
    deadline,
  )
  return { status: reply.statusCode, headers, body }
}

/** Resolves once, refuses when any of the addresses is internal, and connects to those very addresses. */
function pinnedConnector(undici: Undici, options: SenderOptions): buildConnector.connector {
  const resolve = options.resolve ?? createResolver()
  const rules = { allowed: options.allowCidrs.map(parseRange), ownPorts: options.ownPorts ?? [] }

  async function checkedAddresses(host: string, port: number): Promise<string[]> {
    const addresses = bytesOfAddress(host)
      ? [host]
      : await resolve(host).catch((error) => {
          throw new Unresolved(error)
        })
    if (addresses.length === 0) throw new Unresolved()
    for (const address of addresses) {
      const bytes = bytesOfAddress(address)
      const reason = bytes ? checkAddress(bytes, port, rules) : 'must not be an internal address'
      if (reason) throw new Blocked(`The address ${reason}`)
    }
    return addresses
  }

  async function connectTo(target: buildConnector.Options, done: buildConnector.Callback): Promise<void> {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const addresses = await checkedAddresses(target.hostname, port).catch((error: Error) => error)
    if (addresses instanceof Error) return done(addresses, null)
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const connect = undici.buildConnector({
      allowH2: false,
      maxCachedSessions: 0,
      timeout: 15_000,
      autoSelectFamily: true,
      lookup: (_name, { all }, answer) => {
        const [first] = found
        if (all || !first) answer(null, found)
        else answer(null, first.address, first.family)
      },
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    })
    connect(target, done)
  }

  return (target, done) => {
    void connectTo(target, done)
  }
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, Array.isArray(value) ? value.join(', ') : value]]
    }),
  )
}
