import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { checkWebhookUrl } from './address.ts'
import { bytesOfAddress, isCallable } from './ranges.ts'

const rules = { allowCidrs: ['127.0.0.2/32'], ownHosts: ['api.shop.example', 'stores.example:8080'], ownPorts: [8080] }

describe('an address that a seller may save', () => {
  test.each([
    'https://hooks.example.com/keystall?store=1#part',
    'http://8.8.8.8:8080/',
    'http://127.0.0.2:9000/hook',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
    'https://notlocalhost/',
    'https://10.0.0.1.example.com/',
    'https://mystores.example/',
  ])('%s', (url) => {
    assert.equal(checkWebhookUrl(url, rules), undefined)
  })
})

describe('an internal address in any spelling is refused', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0x7f000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '100.100.100.200',
    '127.0.0.3',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[100::1]',
    '[3fff::1]',
    '[5f00::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    'api.shop.example',
    'API.shop.example.',
    'demo.stores.example',
    'stores.example:8080',
  ])('%s', (host) => {
    assert.ok(checkWebhookUrl(`http://${host}/`, rules), host)
  })

  test('our own port, even where the range is open', () => {
    const open = { ...rules, allowCidrs: ['127.0.0.0/8', '::1/128'] }
    assert.equal(checkWebhookUrl('http://127.0.0.1:9000/', open), undefined)
    assert.equal(checkWebhookUrl('http://localhost:9000/', open), undefined)
    assert.match(checkWebhookUrl('http://127.0.0.1:8080/', open) ?? '', /this service/)
    assert.match(checkWebhookUrl('http://[::1]:8080/', open) ?? '', /this service/)
  })
})

describe('what is no address to call is refused', () => {
  test.each([
    '',
    'hooks.example.com',
    '//hooks.example.com',
    'ftp://a.example',
    'file:///etc/passwd',
    'gopher://a.example',
    'javascript:alert(1)',
    'data:text/plain,a',
    'http://',
    'http://a b.example',
    'https://a.example/\r\nHost: b',
    'http://user@a.example',
    'http://:pass@a.example',
    'http://1.1.1.1@10.0.0.1/',
    'http://\ta.example',
    'http://a.example:22',
    'http://a.example:25',
    'https://a.example:5432',
    'http://a.example:6379',
    'http://a.example:65536',
    'http://999.1.1.1',
    'http://[::1',
    `http://a.example/${'x'.repeat(2048)}`,
  ])('%s', (url) => {
    assert.ok(checkWebhookUrl(url, rules), url)
  })
})

const bytes = (text: string) => bytesOfAddress(text) ?? []

test('a resolved address is judged by its bytes', () => {
  assert.deepEqual(bytes('::ffff:127.0.0.1').slice(-4), [127, 0, 0, 1])
  assert.ok(!isCallable(bytes('::ffff:8.8.8.8'), []))
  assert.ok(!isCallable(bytes('fe80::1%eth0'), []))
  assert.ok(isCallable(bytes('1.1.1.1'), []))
  assert.ok(isCallable(bytes('2606:4700::1'), []))
  assert.ok(isCallable(bytes('172.32.0.1'), []))
  assert.ok(isCallable(bytes('100.128.0.1'), []))
  assert.equal(bytesOfAddress('127.1'), undefined)
  assert.equal(bytesOfAddress('example.com'), undefined)
})

/** The registries of special addresses, written down apart from what the product has. */
const special: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
]

const numberOf = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const partsOf = (value: number) => [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256)
const hex = (value: number) => value.toString(16)

/** All that a resolver or a URL takes for this IPv4 address. */
function spellings(value: number): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = partsOf(value)
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    String(value),
    `0x${hex(value)}`,
    `0${value.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    `%${hex(String(a).charCodeAt(0))}${String(a).slice(1)}.${b}.${c}.${d}`,
  ]
}

/** All IPv6 forms that carry it. */
function carriers(value: number): string[] {
  const high = hex(Math.floor(value / 65_536))
  const low = hex(value % 65_536)
  const dotted = partsOf(value).join('.')
  return [
    `::ffff:${dotted}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:FFFF:${high}:${low}`,
    `::ffff:0:${dotted}`,
    `::${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b:1::${dotted}`,
    `64:ff9b:1:fffe::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::`,
    `2001:0:4136:e378:8000:63bf:${hex(0xffff - Math.floor(value / 65_536))}:${hex(0xffff - (value % 65_536))}`,
    `fe80::5efe:${dotted}`,
  ]
}

test('no special address is called, in whichever of its spellings', () => {
  let tried = 0
  for (const [first, last] of special) {
    const [low, high] = [numberOf(first), numberOf(last)]
    const values = [low, low + 1, Math.floor((low + high) / 2), high - 1, high].filter(
      (value) => value !== numberOf('127.0.0.2'),
    )
    for (const value of values) {
      const hosts = [...spellings(value), ...carriers(value).map((address) => `[${address}]`)]
      for (const host of hosts) assert.ok(checkWebhookUrl(`http://${host}/`, rules), host)
      for (const address of [partsOf(value).join('.'), ...carriers(value)]) {
        for (const zone of ['', '%eth0', '%1'])
          assert.ok(!isCallable(bytes(`${address}${zone}`), []), `${address}${zone}`)
      }
      tried += hosts.length
    }
  }
  assert.ok(tried > 1500)
})

test('an open address is called by its own name and by no IPv6 form that carries it', () => {
  for (const text of ['1.1.1.1', '9.255.255.255', '11.0.0.0', '126.255.255.255', '128.0.0.0', '223.255.255.255']) {
    for (const host of spellings(numberOf(text)).slice(0, 10)) {
      assert.equal(checkWebhookUrl(`http://${host}/`, rules), undefined, host)
    }
    for (const carrier of carriers(numberOf(text))) {
      assert.ok(checkWebhookUrl(`http://[${carrier}]/`, rules), carrier)
      assert.ok(!isCallable(bytes(carrier), []), carrier)
    }
  }
})
