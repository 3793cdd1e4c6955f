import { edit, type Mutant } from './mutant.ts'

// Breakages of what comes in and goes out, that every build of such a shop must notice; numbered as in the list of threats.

const sender = 'server/src/platform/outbound/sender.ts'
const disk = 'server/src/platform/storage/disk.ts'
const access = 'server/src/platform/http/access.ts'

const senderTests = ['server/src/platform/outbound/sender.test.ts']
const exchangeTests = ['server/src/oauth2/exchange.test.ts']

export const lettingIn: readonly Mutant[] = [
  {
    number: 11,
    breakage: 'an address is checked when it is saved, not when it is called',
    edits: [edit(sender, '      if (reason) throw new Blocked(`The address ${reason}`)\n', '')],
    tests: senderTests,
    named: 'an internal address',
  },
  {
    number: 12,
    breakage: 'redirects are followed',
    edits: [
      edit(
        sender,
        '    dispatcher: agent,\n',
        '    dispatcher: agent.compose(undici.interceptors.redirect({ maxRedirections: 3 })),\n',
      ),
    ],
    tests: senderTests,
    named: 'redirect',
  },
  {
    number: 13,
    breakage: 'an IPv4 address inside an IPv6 one is not seen',
    edits: [
      edit(
        'server/src/platform/outbound/ranges.ts',
        '  return isInRange(address, openIpv6) &&',
        "  if (isInRange(address, parseRange('::ffff:0:0/96'))) return true\n  return isInRange(address, openIpv6) &&",
      ),
    ],
    tests: ['server/src/platform/outbound/address.test.ts'],
  },
  {
    number: 14,
    breakage: 'HEAD runs the exchange',
    edits: [
      edit(
        'server/src/platform/http/mount.ts',
        "endpoint.method === 'GET' && !endpoint.hasEffect ?",
        "endpoint.method === 'GET' ?",
      ),
    ],
    tests: exchangeTests,
    named: 'HEAD',
  },
  {
    number: 15,
    breakage: 'an access code is looked at first, and taken after',
    edits: [
      edit('server/src/oauth2/queries.ts', "    .where('usedAt', 'is', null)\n", ''),
      edit(
        'server/src/oauth2/exchange.ts',
        '  const grant = await takeCode(tx, use)\n',
        '  if ((await findCode(tx, use))?.isUsed) return undefined\n  const grant = await takeCode(tx, use)\n',
      ),
    ],
    tests: exchangeTests,
    named: 'fifty at once',
  },
  {
    number: 16,
    breakage: 'one route asks for no scope',
    edits: [
      edit(
        access,
        '  if (!caller.scopes.has(scope)) throw forbidden(scope)\n',
        "  const isForgotten = endpoint.path === '/stores/{storeId}/coupons/{couponId}'\n  if (!isForgotten && !caller.scopes.has(scope)) throw forbidden(scope)\n",
      ),
      edit(
        access,
        '  if (!own.rights.has(scope)) throw forbidden(scope)\n',
        '  if (!isForgotten && !own.rights.has(scope)) throw forbidden(scope)\n',
      ),
    ],
    tests: ['server/test/access.test.ts'],
    named: 'getCoupon',
  },
  {
    number: 17,
    breakage: 'one query does not name the store',
    edits: [
      edit(
        'server/src/coupons/queries.ts',
        "    .selectAll()\n    .where('storeId', '=', store.id)\n    .where('id', '=', id)\n",
        "    .selectAll()\n    .where('id', '=', id)\n",
      ),
    ],
    tests: ['server/test/access.test.ts'],
    named: "another store's",
  },
  {
    number: 18,
    breakage: 'an answer is written without its shape',
    edits: [
      edit(
        'server/src/platform/http/serialization.ts',
        '  return serializer(schema)(value)\n',
        '  return JSON.stringify(value)\n',
      ),
    ],
    tests: ['server/src/stores/public-view.test.ts'],
  },
  {
    number: 19,
    breakage: 'a file is overwritten in place',
    edits: [
      edit(
        disk,
        "    const draft = join(unfinished, randomBytes(16).toString('hex'))\n",
        '    const draft = path\n    await mkdir(dirname(path), { recursive: true })\n',
      ),
      edit(disk, "{ flags: 'wx', mode: 0o600, flush: true }", "{ flags: 'w', mode: 0o600, flush: true }"),
    ],
    tests: ['server/src/platform/storage/storage.test.ts'],
    named: 'replaced',
  },
  {
    number: 20,
    breakage: 'a link to a file is good for an hour, whatever happens',
    edits: [
      edit(
        'server/src/orders/download.ts',
        '  const isOpen = order.status',
        '  const known = links.get(fileId)\n  if (known) return known\n  const isOpen = order.status',
      ),
      edit('server/src/orders/download.ts', '  return { ...file', '  links.set(fileId, file)\n  return { ...file'),
      edit(
        'server/src/orders/download.ts',
        '/**\n * The file behind',
        'const links = new Map<string, StoredFile>()\n\n/**\n * The file behind',
      ),
    ],
    tests: ['server/src/orders/files.test.ts'],
    named: 'gone at the next request',
  },
  {
    number: 21,
    breakage: 'money is a floating number',
    edits: [
      edit(
        'server/src/platform/money/money.ts',
        '  return Number((scaled + 500_000n) / 1_000_000n)\n',
        '  void scaled\n  return Math.round(minor * (percentage / 100))\n',
      ),
    ],
    tests: ['server/src/orders/pricing.test.ts'],
  },
  {
    number: 22,
    breakage: 'limits go by a header that anybody can write',
    edits: [
      edit(
        'server/src/platform/http/visit.ts',
        'ip: plainIp(ip)',
        "ip: plainIp(String(headers['x-forwarded-for'] ?? ip))",
      ),
    ],
    tests: exchangeTests,
    named: 'ten exchanges a minute',
  },
  {
    number: 23,
    breakage: 'DELETE of items without a body clears',
    edits: [
      edit(
        'server/src/products/item-routes.ts',
        '    const listed = await countListed',
        '    if (!body.items?.length) await transact(db, (tx) => clearItems(tx, product))\n    const listed = await countListed',
      ),
    ],
    tests: ['server/src/products/items.test.ts'],
    named: 'nothing is removed by nothing',
  },
  {
    number: 24,
    breakage: 'a malformed form is nobody’s to handle',
    edits: [
      edit(
        'server/src/platform/http/uploads.ts',
        'throw error instanceof MalformedForm ? malformed(part) : error',
        'throw error',
      ),
    ],
    tests: ['server/src/products/files.test.ts'],
  },
  {
    number: 25,
    breakage: 'pages have no tie-breaker',
    edits: [
      edit(
        'server/src/coupons/queries.ts',
        "orderBy('dateCreated', 'desc').orderBy('id', 'desc')",
        "orderBy('dateCreated', 'desc')",
      ),
    ],
    tests: ['server/src/coupons/coupons.test.ts'],
    named: 'of one moment',
  },
  {
    number: 26,
    breakage: 'what was paid is not compared with what is owed',
    edits: [
      edit('server/src/orders/paying.ts', 'if (!isSurplus && columns.paidMinor >= order.costMinor)', 'if (!isSurplus)'),
    ],
    tests: ['server/src/orders/orders.test.ts'],
    named: 'partial',
  },
]
