import { edit, type Mutant } from './mutant.ts'

// Breakages of what is written, that every build of such a shop must notice; numbered as in the list of threats.

const stock = 'server/src/products/stock.ts'
const couponParts = 'server/src/coupons/parts.ts'
const change = 'server/src/orders/change.ts'
const once = 'server/src/platform/http/once.ts'
const database = 'server/src/platform/db/database.ts'

const races = ['server/src/orders/races.test.ts']
const databaseTests = ['server/src/platform/db/database.test.ts']

export const keeping: readonly Mutant[] = [
  {
    number: 1,
    breakage: 'items are claimed without a lock',
    edits: [
      edit(stock, '        for update skip locked\n', ''),
      edit(
        stock,
        'and id = any(array(select id from picked)) and num_nonnulls(order_id) = 0',
        'and id = any(array(select id from picked))',
      ),
    ],
    tests: races,
    named: '200 buyers at two servers',
  },
  {
    number: 2,
    breakage: "a coupon's uses are counted without looking at its maximum",
    edits: [edit(couponParts, 'and (maximum_uses = -1 or uses < maximum_uses) and', 'and')],
    tests: races,
    named: 'coupon of at most 10 uses',
  },
  {
    number: 3,
    breakage: "a coupon's uses are written as they were read before",
    edits: [
      edit(
        couponParts,
        'set uses = uses + 1',
        'set uses = 1 + (select seen.uses from coupons seen where seen.store_id = ${storeId} and seen.id = ${couponId})',
      ),
    ],
    tests: races,
    named: 'coupon of at most 10 uses',
  },
  {
    number: 4,
    breakage: 'an event is stored after the commit of its change',
    edits: [
      edit(change, 'import { publishSoon }', "import { insertingEvents } from '#events/parts'\nimport { publishSoon }"),
      edit(change, 'writeMove({ tx, actor }: Change', 'writeMove({ tx, actor, platform }: Change'),
      edit(
        change,
        '  return { columns, entry, event }\n',
        `  const store = async () => event && insertingEvents({ id: order.storeId }, [event]).execute(platform.db)
  setTimeout(() => void store().catch(() => {}), 100)
  return { columns, entry, event: null }
`,
      ),
    ],
    tests: ['server/src/events/events.test.ts'],
    named: 'cannot be promised',
  },
  {
    number: 5,
    breakage: 'a webhook is sent before the commit',
    edits: [
      edit(change, 'writeMove({ tx, actor }: Change', 'writeMove({ tx, actor, platform }: Change'),
      edit(
        change,
        '  return { columns, entry, event }\n',
        `  if (event) {
    const receivers = await tx.selectFrom('webhooks').select('url').where('storeId', '=', order.storeId).execute()
    for (const { url } of receivers) await platform.sender.post(url, { headers: {}, body: event.body })
  }
  return { columns, entry, event: null }
`,
      ),
    ],
    tests: ['server/src/webhooks/webhooks.test.ts'],
    named: 'looks at once',
  },
  {
    number: 6,
    breakage: 'a worker ends a job whose lease another has',
    edits: [
      edit(
        'server/src/platform/jobs/queries.ts',
        'sql`delete from jobs where id = ${id} and lease = ${lease}`',
        'sql`delete from jobs where id = ${id}`',
      ),
    ],
    tests: ['server/src/platform/jobs/jobs.test.ts'],
    named: 'a worker that died',
  },
  {
    number: 7,
    breakage: 'the answer to an Idempotency-Key is stored in a transaction of its own',
    edits: [
      edit(once, '      isKept = true\n', ''),
      edit(once, '        await keep(tx, platform, held.claim, endpoint, answer)\n', ''),
    ],
    tests: ['server/src/platform/idempotency/idempotency.test.ts'],
    named: 'an answer that cannot be kept',
  },
  {
    number: 8,
    breakage: 'the database acknowledges before it has written',
    edits: [
      edit(
        'server/src/platform/embedded/launch.ts',
        "  jit: 'off',\n",
        "  jit: 'off',\n  synchronous_commit: 'off',\n",
      ),
    ],
    tests: ['server/src/platform/embedded/postgres.test.ts'],
    named: 'durable',
  },
  {
    number: 9,
    breakage: 'no limit on the wait for an answer of the database',
    edits: [edit('server/src/platform/db/connection.ts', '    query_timeout: timeouts.queryMs,\n', '')],
    tests: databaseTests,
    named: 'gone silent',
  },
  {
    number: 10,
    breakage: 'no listener on connections in use',
    edits: [edit(database, "  pool.on('connect', (client) => client.on('error', () => {}))\n", '')],
    tests: databaseTests,
    named: 'survives the end of its connections',
  },
]
