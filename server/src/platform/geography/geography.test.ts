import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, test } from 'vitest'
import { createGeography } from './geography.ts'
import { isHostingNetwork } from './networks.ts'

const geography = createGeography()

test('loading holds nobody up and takes little room', async () => {
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const startedAt = performance.now()
  const before = process.memoryUsage()
  await Promise.all([geography.countryOf('8.8.8.8'), geography.isHosting('8.8.8.8'), geography.countryOf('8.8.4.4')])
  lag.disable()
  const after = process.memoryUsage()
  if (process.env['SHOW']) {
    const grown = (after.arrayBuffers - before.arrayBuffers) / 1e6
    console.log(`${Math.round(performance.now() - startedAt)} ms, lag ${lag.max / 1e6} ms, arrays ${grown} MB`)
  }
  assert.ok(after.arrayBuffers - before.arrayBuffers < 40_000_000)
})

describe('an address', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['1.0.1.0', 'CN'],
    ['1.0.3.255', 'CN'],
    ['1.0.4.0', 'AU'],
    ['::ffff:1.0.4.0', 'AU'],
    ['2001:200::1', 'JP'],
    ['2001:208:ffff::', 'SG'],
  ])('%s is in %s', async (ip, country) => {
    assert.equal(await geography.countryOf(ip), country)
  })

  test.each(['127.0.0.1', '10.0.0.1', '0.0.0.0', '255.255.255.255', '::1', 'fe80::1', '', 'nonsense', '1.2.3'])(
    '%j is nowhere',
    async (ip) => {
      assert.equal(await geography.countryOf(ip), undefined)
      assert.equal(await geography.asnOf(ip), undefined)
      assert.equal(await geography.isHosting(ip), false)
    },
  )

  test('has a network, and some networks are servers', async () => {
    assert.equal(await geography.asnOf('1.0.0.1'), 13335)
    assert.equal(await geography.asnOf('2001:200::1'), 2500)
    assert.equal(await geography.isHosting('1.0.0.1'), true)
    assert.equal(await geography.isHosting('1.0.16.1'), false)
  })
})

test('networks are told by their names', () => {
  for (const name of [
    'Hetzner Online GmbH',
    'Fast VPS Ltd',
    'Acme Data Centers',
    'Foo Hosting, Inc.',
    'Mullvad VPN AB',
  ]) {
    assert.ok(isHostingNetwork(1, name), name)
  }
  for (const name of [
    'Deutsche Telekom AG',
    'Comcast Cable',
    'Orange S.A.',
    'Hostomel City Net',
    'Cloudy Bay Broadband',
  ]) {
    assert.ok(!isHostingNetwork(1, name), name)
  }
})
