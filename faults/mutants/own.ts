import { edit, type Mutant } from './mutant.ts'

// Breakages of things that matter as much, from how this shop is built.

const credentials = 'server/src/account/credentials.ts'
const idempotencyTests = ['server/src/platform/idempotency/idempotency.test.ts']
const files = ['server/src/orders/files.test.ts']
const lane = 'server/src/platform/http/lane.ts'
const lanes = 'server/src/platform/http/lanes.ts'
const races = ['server/src/orders/races.test.ts']

export const own: readonly Mutant[] = [
  {
    number: 27,
    breakage: 'a file can be fetched after its order was refunded',
    edits: [
      edit('server/src/orders/download.ts', "order.status !== 'Refunded' && ", ''),
      edit(
        'server/src/orders/delivered-queries.ts',
        "    .where('orderLines.deliveredAt', 'is not', null)\n    .where('orderLines.fileCutAt', 'is', null)\n",
        "    .where('orderLines.deliveredAt', 'is not', null)\n",
      ),
    ],
    tests: files,
    named: 'gone at the next request',
  },
  {
    number: 28,
    breakage: "the client's price is believed",
    edits: [
      edit(
        'server/src/platform/http/named-fields.ts',
        '  const given = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))\n',
        '  const given = Object.entries(value)\n',
      ),
      edit(
        'server/src/orders/cart.ts',
        '  const lines = linesOf(form, products)\n',
        '  const asked = Number(Object(form)["cost"] ?? Object(form.items[0])["cost"] ?? Number.NaN)\n' +
          '  const known = Number.isNaN(asked) ? products : products.map((each) => ({ ...each, costMinor: asked * 100 }))\n' +
          '  const lines = linesOf(form, known)\n',
      ),
    ],
    tests: ['server/src/orders/checkout.test.ts'],
    named: 'what a client says of price',
  },
  {
    number: 29,
    breakage: 'an Idempotency-Key is everybody’s',
    edits: [edit('server/src/platform/http/once.ts', '    scope: scopeOf(request),\n', "    scope: 'all',\n")],
    tests: idempotencyTests,
    named: 'never meet',
  },
  {
    number: 30,
    breakage: 'an Idempotency-Key is not claimed before the work',
    edits: [
      edit(
        'server/src/platform/idempotency/queries.ts',
        '    where (held.answer is null and held.claimed_at < now() - make_interval(secs => ${claimSeconds}))\n',
        '    where (held.answer is null and held.claimed_at < now() + make_interval(secs => ${claimSeconds}))\n',
      ),
    ],
    tests: [...races, ...idempotencyTests],
    named: 'one Idempotency-Key from 20|in flight it is 409',
  },
  {
    number: 31,
    breakage: 'sessions go on after the password was reset',
    edits: [edit(credentials, '    await deleteSessions(tx, user.id, null)\n', '')],
    tests: ['server/src/account/credentials.test.ts'],
    named: 'the link is good once',
  },
  {
    number: 32,
    breakage: 'a revoked key still opens',
    edits: [
      edit(
        'server/src/keys/queries.ts',
        "    .where('key.userId', '=', given.userId)\n    .where('key.revokedAt', 'is', null)\n",
        "    .where('key.userId', '=', given.userId)\n",
      ),
    ],
    tests: ['server/src/keys/keys.test.ts'],
    named: 'revoked',
  },
  {
    number: 33,
    breakage: 'an event that is committed late is passed over',
    edits: [
      edit(
        'server/src/events/queries.ts',
        'where store_id = ${storeId} and number is null order by id',
        'where store_id = ${storeId} and number is null and id > all (select seen.id from events seen where seen.store_id = ${storeId} and seen.number is not null) order by id',
      ),
    ],
    tests: ['server/src/events/events.test.ts'],
    named: 'committed late',
  },
  {
    number: 34,
    breakage: 'a kept public answer outlives the change',
    edits: [
      edit(
        'server/src/platform/http/mount.ts',
        "  if (typeof storeId === 'string') kept.forget(storeId)\n",
        "  if (typeof storeId === 'string') return\n",
      ),
    ],
    tests: ['server/test/kept.test.ts'],
    named: 'ends with',
  },
  {
    number: 35,
    breakage: 'store credit is spent without looking what is left',
    edits: [
      edit(
        'server/src/credit/queries.ts',
        '\n        and ${amountMinor}::bigint < 0 and balance_minor + ${amountMinor}::bigint >= 0\n',
        '\n        and ${amountMinor}::bigint < 0\n',
      ),
    ],
    tests: ['server/src/credit/credit.test.ts'],
    named: '20 clients',
  },
  {
    number: 36,
    breakage: 'the wallet tally is written as it was read before',
    edits: [
      edit(
        'server/src/credit/queries.ts',
        'update credit_balances set balance_minor = balance_minor + ${amountMinor}::bigint,',
        'update credit_balances set balance_minor = ${amountMinor}::bigint + (select seen.balance_minor from credit_balances seen where seen.store_id = ${storeId} and seen.customer_id = ${customerId} and seen.currency = ${currency}),',
      ),
    ],
    tests: ['server/src/credit/credit.test.ts'],
    named: '20 clients',
  },
  {
    number: 37,
    breakage: 'an order is changed without being locked',
    edits: [edit('server/src/orders/queries.ts', ' and id = ${orderId} for update\n', ' and id = ${orderId}\n')],
    tests: races,
    named: 'payments, deliveries and a cancellation|20 deliveries',
  },
  {
    number: 38,
    breakage: 'a second answer of a dynamic product takes the place of the first',
    edits: [
      edit(
        'server/src/orders/dynamic-queries.ts',
        "      .where('isDynamic', '=', true)\n      .where('answer', 'is', null),\n",
        "      .where('isDynamic', '=', true),\n",
      ),
      edit(
        'server/src/orders/dynamic-answer.ts',
        "  if (order.status !== 'Delivering' && order.status !== 'Undeliverable') return false\n",
        '',
      ),
    ],
    tests: ['server/src/webhooks/dynamic.test.ts'],
    named: 'comes twice counts once',
  },
  {
    number: 39,
    breakage: 'a false sold-out is told at once',
    edits: [edit('server/src/orders/checkout.ts', 'const shortageTriesMax = 40\n', 'const shortageTriesMax = 1\n')],
    tests: races,
    named: 'no false sold-out',
  },
  {
    number: 40,
    breakage: "an order's key is not compared",
    edits: [
      edit(
        'server/src/orders/order-key.ts',
        'found && isSameSecret(found.order.key, key) ? found',
        'found && key !== undefined ? found',
      ),
    ],
    tests: ['server/src/reviews/reviews.test.ts'],
    named: 'needs the key of that order',
  },
  {
    number: 41,
    breakage: 'a cancelled order gives its coupon back each time',
    edits: [
      edit(
        'server/src/coupons/queries.ts',
        '      delete from coupon_uses where store_id = ${storeId} and order_id = ${orderId} returning coupon_id\n',
        '      select coupon_id from coupon_uses where store_id = ${storeId} and order_id = ${orderId}\n',
      ),
    ],
    tests: races,
    named: 'a coupon in a crowd',
  },
  {
    number: 42,
    breakage: 'what waits for a receiver is sent newest first',
    edits: [
      edit(
        'server/src/webhooks/delivery-queries.ts',
        '    order by next_try_at, id\n    limit ${limit}\n',
        '    order by next_try_at desc, id desc\n    limit ${limit}\n',
      ),
    ],
    tests: ['server/src/webhooks/sending.test.ts'],
    named: 'oldest first',
  },
  {
    number: 43,
    breakage: 'a library is built in that then does not know its own errors',
    edits: [edit('server/vite.ts', "  'file-type',\n", '')],
    tests: ['server/test/processes.test.ts'],
    named: 'every broken picture',
  },
  {
    number: 44,
    breakage: 'whatever one connection sends in advance waits',
    edits: [edit(lanes, 'const heldMax = 1_000_000\n', 'const heldMax = 1_000_000_000\n')],
    tests: ['server/src/platform/http/lanes.test.ts'],
    named: 'the last request that can wait',
  },
  {
    number: 45,
    breakage: 'whatever all connections together send in advance waits',
    edits: [edit(lanes, 'const heldOfAllMax = 50_000_000\n', 'const heldOfAllMax = 50_000_000_000\n')],
    tests: ['server/src/platform/http/lanes.test.ts'],
    named: 'only so much waits',
  },
  {
    number: 46,
    breakage: 'a request that waits takes as little as a short one, whatever its headers',
    edits: [edit(lane, '  for (const word of rawHeaders) bytes += held.word + word.length\n', '')],
    tests: ['server/src/platform/http/lanes.test.ts'],
    named: 'so much can wait, not so many',
  },
  {
    number: 47,
    breakage: 'requests are made of what comes after a connection was ended',
    edits: [edit(lane, 'if (!lane.isFull && lane.socket.writable) return', 'if (!lane.isFull) return')],
    tests: ['server/src/platform/http/lanes.test.ts'],
    named: 'after a connection was ended',
  },
  {
    number: 48,
    breakage: 'a connection whose requests wait is read on when Node had paused it before',
    edits: [edit(lane, "      socket.emit('pause')\n", '')],
    tests: ['server/src/platform/http/lanes.test.ts'],
    named: 'nothing more is read',
  },
  {
    number: 49,
    breakage: 'workers are told of work before it is committed',
    edits: [edit('server/src/platform/db/after-commit.ts', 'if (waiting) waiting.add(tell)\n  else tell()', 'tell()')],
    tests: ['server/src/platform/jobs/jobs.test.ts'],
    named: 'looked for when its transaction has ended',
  },
  {
    number: 50,
    breakage: 'a short upload is stored before its form is whole',
    edits: [
      edit('server/src/platform/http/uploads.ts', 'const beginningBytes = 64 * 1024\n', 'const beginningBytes = 1\n'),
    ],
    tests: ['server/src/products/uploads.test.ts'],
    named: 'whole before anything of it',
  },
  {
    number: 51,
    breakage: 'whatever cannot be read is refused at once, however much of it comes',
    edits: [edit('server/src/platform/http/refusals.ts', 'const waitingMax = 100\n', 'const waitingMax = 0\n')],
    tests: ['server/src/platform/http/refusals.test.ts'],
    named: 'a few more in turn',
  },
  {
    number: 52,
    breakage: 'a label alone is the host of its store',
    edits: [edit('server/src/storefront/pages.ts', " && destination.domain.includes('.')", '')],
    tests: ['server/test/http.test.ts'],
    named: 'only a store’s label',
  },
  {
    number: 53,
    breakage: 'what a refused request still sends is read to its end',
    edits: [edit('server/src/platform/http/linger.ts', '    raw.pause().read()\n', '')],
    tests: ['server/test/http.test.ts'],
    named: 'reads nothing more of a body',
  },
  {
    number: 54,
    breakage: 'reading what is sent in advance takes nothing of its turn',
    edits: [edit(lanes, 'if (bytesRead === lane.readBytes) owedMs +=', 'if (lane.isFull) owedMs +=')],
    tests: ['server/src/platform/http/lanes.test.ts'],
    named: 'what it took to read that',
  },
  {
    number: 55,
    breakage: 'however many requests each sends at once, new connections are read together',
    edits: [edit(lanes, '      if (waiting === crowdMin) onCrowd()\n', '')],
    tests: ['server/test/http.test.ts'],
    named: 'one after the other once somebody',
  },
]
