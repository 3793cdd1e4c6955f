import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import StripeClient from 'stripe'

type Json = Record<string, unknown>
type Session = {
  id: string
  object: 'checkout.session'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string | null
  url: string
  expires_at: number
  success_url: string
  customer_email: string
  setup_future_usage: string | null
}
type Intent = {
  id: string
  status: string
  amount: number
  currency: string
  charge: string
  customer: string | null
  setup_future_usage: string | null
  metadata: Json
}

export const stripeKeys = {
  publishableKey: 'pk_test_canaryPublishable1',
  secretKey: 'sk_test_canarySecretKey1',
  webhookSecret: 'whsec_canaryWebhookSecret1',
}

/** Speaks so much of Stripe's API as cards need, keeps what happened, and signs what it tells. */
export async function startStripe() {
  const sessions = new Map<string, Session>()
  const intents = new Map<string, Intent>()
  const refunds: Json[] = []
  const disputes: Json[] = []
  const warnings: Json[] = []
  const answers = new Map<string, { status: number; body: unknown }>()
  const calls: string[] = []
  /** Payment methods that are declined, and those whose bank takes its time. */
  const state = { isAway: false, declines: new Set<string>(), slow: new Set<string>() }
  let made = 0
  const newId = (kind: string) => `${kind}_${(made += 1)}${Math.random().toString(36).slice(2, 8)}`

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://stripe')
    calls.push(`${request.method} ${url.pathname}`)
    if (state.isAway) return failure(503, 'api_error', 'away')
    if (request.headers.authorization !== `Bearer ${stripeKeys.secretKey}`) {
      return failure(401, 'invalid_request_error', 'Invalid API Key provided: sk_test_****')
    }
    const key = request.headers['idempotency-key']
    const known = typeof key === 'string' ? answers.get(key) : undefined
    if (known) return known
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const result = route(request.method ?? 'GET', url, form)
    if (typeof key === 'string' && result.status < 500) answers.set(key, result)
    return result
  }

  function route(method: string, url: URL, form: URLSearchParams): { status: number; body: unknown } {
    const [, , ...parts] = url.pathname.split('/')
    const path = `${method} /${parts.join('/')}`
    const of = url.searchParams.get('payment_intent')
    if (path === 'GET /checkout/sessions') {
      return list([...sessions.values()].filter((each) => of === null || each.payment_intent === of))
    }
    if (path === 'POST /checkout/sessions') return done(createSession(form))
    if (path === 'GET /refunds') return list(refunds.filter((refund) => refund['payment_intent'] === of))
    if (path === 'POST /refunds') return createRefund(form)
    if (path === 'GET /disputes') return list(disputes.filter((dispute) => dispute['payment_intent'] === of))
    if (path === 'GET /radar/early_fraud_warnings') {
      return list(warnings.filter((warning) => warning['charge'] === url.searchParams.get('charge')))
    }
    if (path === 'POST /webhook_endpoints') return done({ id: newId('we'), secret: stripeKeys.webhookSecret })
    if (path === 'POST /payment_intents') return createIntent(form)
    if (path === 'GET /payment_intents') {
      const own = [...intents.values()].filter(({ customer }) => customer === url.searchParams.get('customer'))
      return list(own.map(({ id }) => expanded(id)))
    }
    if (method === 'GET' && parts[0] === 'payment_intents' && parts[1]) return done(expanded(parts[1]))
    const session = parts[1] === 'sessions' ? sessions.get(parts[2] ?? '') : undefined
    if (session && parts[3] === 'expire') {
      if (session.status !== 'open') return failure(400, 'invalid_request_error', 'Only open sessions can be expired')
      session.status = 'expired'
      return done(session)
    }
    if (session) return done({ ...session, payment_intent: expanded(session.payment_intent) })
    return failure(404, 'invalid_request_error', `No such address: ${path}`)
  }

  function createSession(form: URLSearchParams): Session {
    const id = newId('cs')
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      metadata: {
        keystall_store: form.get('metadata[keystall_store]') ?? '',
        keystall_order: form.get('metadata[keystall_order]') ?? '',
      },
      payment_intent: null,
      url: `http://127.0.0.1:${port}/pay/${id}`,
      expires_at: Math.floor(Date.now() / 1000) + 86_400,
      success_url: form.get('success_url') ?? '',
      customer_email: form.get('customer_email') ?? '',
      setup_future_usage: form.get('payment_intent_data[setup_future_usage]'),
    }
    sessions.set(id, session)
    return session
  }

  function createRefund(form: URLSearchParams) {
    const intent = intents.get(form.get('payment_intent') ?? '')
    if (!intent) return failure(404, 'invalid_request_error', 'No such payment_intent')
    const amount = Number(form.get('amount'))
    if (refundedOf(intent) + amount > intent.amount) {
      return failure(400, 'invalid_request_error', 'Refund amount is greater than unrefunded amount')
    }
    return done(refund(intent.id, amount, { keystall_refund: form.get('metadata[keystall_refund]') ?? '' }))
  }

  /** A saved card is charged without its owner. */
  function createIntent(form: URLSearchParams) {
    const method = form.get('payment_method') ?? ''
    const isDeclined = state.declines.has(method)
    const status = isDeclined ? 'requires_payment_method' : state.slow.has(method) ? 'processing' : 'succeeded'
    const intent = newIntent(Number(form.get('amount')), form.get('currency') ?? '', status)
    intent.customer = form.get('customer')
    intent.metadata = Object.fromEntries(
      ['keystall_store', 'keystall_order', 'keystall_charge'].map((name) => [name, form.get(`metadata[${name}]`)]),
    )
    if (!isDeclined) return done(expanded(intent.id))
    return failure(402, 'card_error', 'Your card was declined.', { payment_intent: expanded(intent.id) })
  }

  function newIntent(amount: number, currency: string, status: string): Intent {
    const intent: Intent = {
      ...{ id: newId('pi'), status, amount, currency, charge: newId('ch'), customer: newId('cus') },
      ...{ setup_future_usage: null, metadata: {} },
    }
    intents.set(intent.id, intent)
    return intent
  }

  function refundedOf({ id }: Intent): number {
    const own = refunds.filter((each) => each['payment_intent'] === id && each['status'] !== 'failed')
    return own.reduce((sum, each) => sum + Number(each['amount']), 0)
  }

  function refund(paymentIntent: string, amount: number, metadata: Json = {}): Json {
    const currency = intents.get(paymentIntent)?.currency
    const made = { id: newId('re'), object: 'refund', amount, currency, payment_intent: paymentIntent }
    refunds.push({ ...made, status: 'succeeded', metadata })
    return refunds.at(-1) ?? {}
  }

  function expanded(id: string | null): unknown {
    const intent = id === null ? undefined : intents.get(id)
    if (!intent) return null
    const isPaid = intent.status === 'succeeded'
    const charge = {
      id: intent.charge,
      amount_refunded: refundedOf(intent),
      disputed: disputes.some((each) => each['payment_intent'] === intent.id),
      balance_transaction: { fee: Math.round(intent.amount * 0.029) + 30, currency: intent.currency },
    }
    return {
      ...intent,
      object: 'payment_intent',
      amount_received: isPaid ? intent.amount : 0,
      latest_charge: isPaid ? charge : null,
      payment_method: `pm_${intent.customer}`,
      last_payment_error: intent.status === 'requires_payment_method' ? { message: 'The bank said no.' } : null,
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    close: () => server.close(),
    calls,
    state,
    sessions,
    /** The session of an order, the newest. */
    sessionOf(orderId: string): Session {
      const own = [...sessions.values()].filter(({ metadata }) => metadata['keystall_order'] === orderId)
      const last = own.at(-1)
      if (!last) throw new Error('no session was begun')
      return last
    },
    /** The buyer fills in a card; a bank that works on it says so later. */
    pay(session: Session, status: 'succeeded' | 'processing' = 'succeeded', amount = session.amount_total): Intent {
      const intent = newIntent(amount, session.currency, status)
      intent.setup_future_usage = session.setup_future_usage
      Object.assign(session, { status: 'complete', payment_intent: intent.id })
      if (status === 'succeeded') session.payment_status = 'paid'
      return intent
    },
    endAsync(session: Session, isPaid: boolean): void {
      const intent = intents.get(session.payment_intent ?? '')
      if (intent) intent.status = isPaid ? 'succeeded' : 'requires_payment_method'
      if (isPaid) session.payment_status = 'paid'
    },
    /** The charge of a saved card for an order. */
    chargeOf(orderId: string): Intent | undefined {
      return [...intents.values()].find(({ metadata }) => metadata['keystall_order'] === orderId)
    },
    refund,
    refundsOf: (paymentIntent: string) => refunds.filter((refund) => refund['payment_intent'] === paymentIntent),
    dispute(paymentIntent: string, status = 'needs_response'): Json {
      const { amount, currency } = intents.get(paymentIntent) ?? {}
      const known = disputes.find((each) => each['payment_intent'] === paymentIntent)
      const dispute = known ?? {
        id: newId('dp'),
        amount,
        currency,
        payment_intent: paymentIntent,
        reason: 'fraudulent',
      }
      if (!known) disputes.push(dispute)
      return Object.assign(dispute, { status })
    },
    warn(paymentIntent: string): Json {
      const charge = intents.get(paymentIntent)?.charge
      const fraud = { fraud_type: 'made_with_stolen_card', payment_intent: paymentIntent }
      warnings.push({ id: newId('issfr'), charge, ...fraud })
      return warnings.at(-1) ?? {}
    },
    /** A notice as Stripe sends it, signed. */
    notice(type: string, object: Json, { secret = stripeKeys.webhookSecret, ageSeconds = 0 } = {}) {
      const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
      const body = JSON.stringify({ id: newId('evt'), object: 'event', type, data: { object } })
      const signature = StripeClient.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
      return { body, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
    },
  }
}

function done(body: unknown) {
  return { status: 200, body }
}

function list(data: unknown[]) {
  return done({ object: 'list', data, has_more: false })
}

function failure(status: number, type: string, message: string, more: object = {}) {
  return { status, body: { error: { type, message, ...more } } }
}
