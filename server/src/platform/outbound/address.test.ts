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
