import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'
import { keyedHash, open, seal } from './seal.ts'
import { loadSecretKey, secretKeyOf } from './secret-key.ts'
import { hashToken, isSameSecret, newToken } from './tokens.ts'

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keystall-secrets-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('the secret key', () => {
  test('is made once, by however many start at once, and only its owner can read it', async () => {
    const dataDir = join(await aFolder(), 'data')
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey({ dataDir })))
    const again = await loadSecretKey({ dataDir })

    const derived = new Set([...keys, again].map((key) => key.derive('test').toString('hex')))
    assert.equal(derived.size, 1)
    assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
  })

  test('a setting wins, in hex or base64, and a short one is refused', async () => {
    const bytes = Buffer.alloc(32, 7)
    const dataDir = await aFolder()
    const spellings = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
    for (const secretKey of spellings) {
      const key = await loadSecretKey({ secretKey, dataDir })
      assert.deepEqual(key.derive('a'), secretKeyOf(bytes).derive('a'))
    }
    await loadSecretKey({ secretKey: 'a sentence of my own', dataDir })
    await assert.rejects(loadSecretKey({ secretKey: 'short', dataDir }), /SECRET_KEY/)
  })

  test('two purposes have unrelated keys', () => {
    const key = secretKeyOf(Buffer.alloc(32, 1))
    assert.notDeepEqual(key.derive('a'), key.derive('b'))
    assert.equal(key.derive('a').length, 32)
  })
})

describe('sealing', () => {
  const key = secretKeyOf(Buffer.alloc(32, 1)).derive('seal')

  test('what was sealed opens with the same key and context alone', () => {
    const sealed = seal(key, 'ключ 🔑', 'store 1')
    assert.equal(open(key, sealed, 'store 1'), 'ключ 🔑')
    assert.throws(() => open(key, sealed, 'store 2'))
    assert.throws(() => open(Buffer.alloc(32, 2), sealed, 'store 1'))
    assert.notDeepEqual(seal(key, 'a'), seal(key, 'a'))
  })

  test('no changed or missing byte goes unnoticed', () => {
    const sealed = seal(key, 'secret')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      assert.throws(() => open(key, changed))
      assert.throws(() => open(key, sealed.subarray(0, index)))
    }
  })

  test('a keyed hash depends on text and key', () => {
    assert.deepEqual(keyedHash(key, 'a'), keyedHash(key, 'a'))
    assert.notDeepEqual(keyedHash(key, 'a'), keyedHash(key, 'b'))
    assert.notDeepEqual(keyedHash(key, 'a'), keyedHash(Buffer.alloc(32), 'a'))
  })
})

test('tokens have the bits asked for and compare by value', () => {
  const token = newToken(256)
  assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.notEqual(newToken(128), newToken(128))
  assert.equal(hashToken(token).length, 32)
  assert.ok(isSameSecret(token, token))
  assert.ok(isSameSecret('a', Buffer.from('a')))
  assert.ok(!isSameSecret(token, `${token}x`))
  assert.ok(!isSameSecret('', 'a'))
})
