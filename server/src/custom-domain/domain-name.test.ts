import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readConfig } from '#config'
import { domainOf, isApex, normalizeDomain } from './domain-name.ts'

const config = readConfig({
  API_URL: 'https://api.keystall.example.net',
  DASH_URL: 'https://dash.keystall.example.net',
  STORE_DOMAIN: 'stores.example.net:8443',
})

describe('a domain', () => {
  test.each([
    ['shop.example.com', 'shop.example.com'],
    ['SHOP.Example.COM', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['ｓｈｏｐ.example.com', 'shop.example.com'],
    ['shop。example.com', 'shop.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('%s is kept as %s', (text, kept) => {
    assert.equal(normalizeDomain(text), kept)
  })

  test('that looks like another one is kept in punycode, so that nobody takes it for that', () => {
    assert.equal(normalizeDomain('аpple.com'), 'xn--pple-43d.com')
  })

  test.each([
    'http://a.com',
    'https://shop.example.com',
    'shop.example.com/path',
    'shop.example.com／path',
    'shop.example.com?x',
    'shop.example.com%2f',
    'shop.example.com:8080',
    'user@shop.example.com',
    '*.example.com',
    'localhost',
    'shop.localhost',
    'printer.local',
    'db.internal',
    'com',
    'co.uk',
    'github.io',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '::1',
    '1.2.3.4.',
    '1.0.0.127.in-addr.arpa',
    'shop..example.com',
    '.example.com',
    '-shop.example.com',
    'shop-.example.com',
    'shop_1.example.com',
    'sh op.example.com',
    'shop.example.com..',
    `${'a'.repeat(64)}.example.com`,
    `${'abcdefghi.'.repeat(26)}com`,
    'api.keystall.example.net',
    'dash.keystall.example.net',
    'stores.example.net',
    'demo.stores.example.net',
    'DEMO.Stores.example.net.',
    '',
    ' ',
  ])('%j is refused', (text) => {
    assert.throws(() => domainOf(config, text), { code: 'ValidationError' })
  })

  test('is an apex when it is the registered name itself', () => {
    assert.ok(isApex('example.com'))
    assert.ok(isApex('example.co.uk'))
    assert.ok(!isApex('shop.example.com'))
  })
})
