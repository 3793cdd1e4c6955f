import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/custom-domain'
import { getStore, viewStore } from '@keystall/contract/endpoints/stores'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { call, startTestServer, type TestServer } from '#test/harness'
import { type NameServer, startNameServer } from '#test/name-server'
import { checkDueDomains } from './verification.ts'

let names: NameServer
let server: TestServer & { stop(): Promise<void> }

beforeAll(async () => {
  names = await startNameServer()
  const env = { DNS_SERVERS: names.address, STORE_DOMAIN: 'stores.example.net' }
  server = await startTestServer({ env, hasJobs: false })
})
afterAll(async () => {
  await server?.stop()
  await names?.close()
})

let domains = 0
const aDomain = () => `shop${(domains += 1)}.example.com`

async function labelOf(seller: Seller): Promise<string> {
  return (await seller.call(getStore)).data.url.toLowerCase()
}

/** Sets both records of a domain, as its owner would. */
async function setRecords(seller: Seller, domain: string): Promise<void> {
  const { data } = await seller.call(contract.listCustomDomainRecords)
  const proof = data.find(({ type }) => type === 'TXT')
  const former = names.zone[`_keystall.${domain}`]?.TXT ?? []
  names.zone[`_keystall.${domain}`] = { TXT: ['something else', ...former, proof?.value ?? ''] }
  names.zone[domain] = { CNAME: `${await labelOf(seller)}.stores.example.net` }
}

/** As if the last look was long ago. */
async function forgetChecks(seller: Seller): Promise<void> {
  await server.platform.db
    .updateTable('customDomains')
    .set({ checkedAt: null })
    .where('storeId', '=', seller.storeId)
    .execute()
}

async function statusOf(seller: Seller) {
  await forgetChecks(seller)
  return (await seller.call(contract.getCustomDomainStatus)).data
}

async function anActiveDomain() {
  const seller = await aSeller(server)
  const domain = aDomain()
  await seller.call(contract.setCustomDomain, { body: { domain } })
  await setRecords(seller, domain)
  assert.equal(await statusOf(seller), 'active')
  return { seller, domain }
}

const tls = (domain: string) => call(server, contract.checkTlsDomain, { query: { domain } })

describe('POST /stores/{storeId}/custom-domain', () => {
  test('answers the record to set, which points to the store', async () => {
    const seller = await aSeller(server)
    const set = await seller.call(contract.setCustomDomain, { body: { domain: 'Shop.Example.ORG.' } })
    assert.deepEqual(set.data, {
      name: 'shop.example.org',
      value: `${await labelOf(seller)}.stores.example.net`,
      type: 'CNAME',
    })
    const { data } = await seller.call(getStore)
    assert.equal(data.customDomain, 'shop.example.org')
    assert.ok(Math.abs(Date.now() - Date.parse(data.lastCustomDomainUpdate ?? '')) < 60_000)
  })

  test('an apex domain is proven by TXT and pointed by address', async () => {
    const seller = await aSeller(server)
    names.zone[`${await labelOf(seller)}.stores.example.net`] = { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] }
    const set = await seller.call(contract.setCustomDomain, { body: { domain: 'apex.com' } })
    assert.equal(set.data.name, '_keystall.apex.com')
    assert.equal(set.data.type, 'TXT')
    const { data } = await seller.call(contract.listCustomDomainRecords)
    assert.deepEqual(data, [
      set.data,
      { name: 'apex.com', value: '192.0.2.10', type: 'A' },
      { name: 'apex.com', value: '2001:db8::10', type: 'AAAA' },
    ])
    names.zone['_keystall.apex.com'] = { TXT: [set.data.value] }
    names.zone['apex.com'] = { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] }
    assert.equal(await statusOf(seller), 'active')
  })

  test('the same domain again keeps its proof; another one gets a new one', async () => {
    const seller = await aSeller(server)
    const [one, two] = [aDomain(), aDomain()]
    const proof = async (domain: string) => {
      await seller.call(contract.setCustomDomain, { body: { domain } })
      return (await seller.call(contract.listCustomDomainRecords)).data.find(({ type }) => type === 'TXT')?.value
    }
    const first = await proof(one)
    assert.match(String(first), /^keystall-proof=[\w-]{27,}$/)
    assert.equal(await proof(one), first)
    assert.notEqual(await proof(two), first)
    assert.notEqual(await proof(one), first)
  })

  test.each([
    'localhost',
    '127.0.0.1',
    '*.a.com',
    'http://a.com',
    'co.uk',
    'stores.example.net',
    'x.stores.example.net',
    '',
    7,
    null,
  ])('%j is refused', async (domain) => {
    const seller = await aSeller(server)
    const { refused } = await seller.call(contract.setCustomDomain, { body: { domain } })
    assert.equal(refused?.status, 400)
    assert.deepEqual(Object.keys(refused?.fields ?? {}), ['domain'])
    assert.equal((await seller.call(contract.getCustomDomainStatus)).data, 'none')
  })

  test('a domain in use elsewhere is taken as any other, and waits', async () => {
    const { domain } = await anActiveDomain()
    const other = await aSeller(server)
    const set = await other.call(contract.setCustomDomain, { body: { domain } })
    assert.equal(set.status, 200)
    assert.equal(await statusOf(other), 'pending')
  })
})

describe('GET /stores/{storeId}/custom-domain', () => {
  test('none, then pending, then active once proof and address are seen', async () => {
    const seller = await aSeller(server)
    const domain = aDomain()
    assert.equal(await statusOf(seller), 'none')
    await seller.call(contract.setCustomDomain, { body: { domain } })
    assert.equal(await statusOf(seller), 'pending')

    names.zone[domain] = { CNAME: `${await labelOf(seller)}.stores.example.net` }
    assert.equal(await statusOf(seller), 'pending')
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).status, 404)

    await setRecords(seller, domain)
    assert.equal(await statusOf(seller), 'active')
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).data.id, seller.storeId)
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).data.customDomain, domain)
  })

  test('a proven domain that points elsewhere is misconfigured', async () => {
    const seller = await aSeller(server)
    const domain = aDomain()
    await seller.call(contract.setCustomDomain, { body: { domain } })
    await setRecords(seller, domain)
    names.zone[domain] = { A: ['203.0.113.9'] }
    assert.equal(await statusOf(seller), 'misconfigured')
  })

  test('name servers are not asked at every look', async () => {
    const seller = await aSeller(server)
    const domain = aDomain()
    await seller.call(contract.setCustomDomain, { body: { domain } })
    assert.equal(await statusOf(seller), 'pending')
    const asked = () => names.asked.filter((name) => name.endsWith(domain)).length
    const before = asked()
    for (let look = 0; look < 5; look += 1) await seller.call(contract.getCustomDomainStatus)
    assert.equal(asked(), before)
  })

  test('the first to prove a domain gets it, the other is misconfigured', async () => {
    const [one, two] = await Promise.all([aSeller(server), aSeller(server)])
    const domain = aDomain()
    for (const seller of [one, two]) {
      await seller.call(contract.setCustomDomain, { body: { domain } })
      await setRecords(seller, domain)
    }
    const statuses = await Promise.all([statusOf(one), statusOf(two)])
    assert.deepEqual(statuses.toSorted(), ['active', 'misconfigured'])
    const [winner, loser] = statuses[0] === 'active' ? [one, two] : [two, one]
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).data.id, winner.storeId)

    await winner.call(contract.removeCustomDomain)
    assert.equal(await statusOf(loser), 'active')
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).data.id, loser.storeId)
  })
})

describe('the re-check', () => {
  test('takes a domain that moved away out of service, and back', async () => {
    const { seller, domain } = await anActiveDomain()
    const recheck = async () => {
      await forgetChecks(seller)
      await checkDueDomains(server.platform.db, server.platform.config)
      return (await seller.call(contract.getCustomDomainStatus)).data
    }
    const proof = names.zone[`_keystall.${domain}`] ?? {}
    names.zone[`_keystall.${domain}`] = { TXT: ['the new owner says something else'] }
    assert.equal(await recheck(), 'misconfigured')
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).status, 404)
    assert.equal((await tls(domain)).status, 404)

    names.zone[`_keystall.${domain}`] = proof
    assert.equal(await recheck(), 'active')
  })

  test('name servers that fail change nothing', async () => {
    const { seller, domain } = await anActiveDomain()
    names.isFailing = true
    await forgetChecks(seller)
    await checkDueDomains(server.platform.db, server.platform.config)
    names.isFailing = false
    assert.equal((await seller.call(contract.getCustomDomainStatus)).data, 'active')
    assert.equal((await tls(domain)).status, 200)
  })
})

describe('DELETE /stores/{storeId}/custom-domain', () => {
  test('the domain is no longer served; again, nothing happens', async () => {
    const { seller, domain } = await anActiveDomain()
    assert.equal((await seller.call(contract.removeCustomDomain)).data, null)
    assert.equal(await statusOf(seller), 'none')
    assert.equal((await call(server, viewStore, { path: { storeUrl: domain } })).status, 404)
    const { customDomain, lastCustomDomainUpdate } = (await seller.call(getStore)).data
    assert.equal(customDomain, null)
    assert.equal((await seller.call(contract.removeCustomDomain)).status, 200)
    assert.equal((await seller.call(getStore)).data.lastCustomDomainUpdate, lastCustomDomainUpdate)
    assert.deepEqual((await seller.call(contract.listCustomDomainRecords)).data, [])
  })
})

describe('GET /internal/tls', () => {
  test('200 for an active domain in any spelling, 404 for all others', async () => {
    const { domain } = await anActiveDomain()
    assert.equal((await tls(domain)).status, 200)
    assert.equal((await tls(`${domain.toUpperCase()}.`)).status, 200)

    const waiting = await aSeller(server)
    const pending = aDomain()
    await waiting.call(contract.setCustomDomain, { body: { domain: pending } })
    for (const other of [pending, 'unknown.example.com', 'stores.example.net', '127.0.0.1', `x.${domain}`, "a'--"]) {
      assert.equal((await tls(other)).status, 404, other)
    }
  })
})
