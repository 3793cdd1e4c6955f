import { assert, test } from 'vitest'
import { extendedKeyOf, readExtendedKey } from '../chain/extended-key.ts'
import { accountOfSeed } from '../chain/seed.ts'
import { bitcoin } from '../bitcoin/parameters.ts'
import { litecoin } from '../litecoin/parameters.ts'
import { extendedKeyOfSeed, walletOf } from './wallet.ts'

const words = `${'abandon '.repeat(11)}about`
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

function addressAt(extendedKey: string, { networks }: typeof bitcoin, index: number) {
  const wallet = walletOf({ extendedKey, confirmations: '' }, networks.mainnet)
  return 'reason' in wallet ? wallet.reason : wallet.derive(index).address
}

test('the addresses are those of BIP84', () => {
  assert.equal(extendedKeyOfSeed(words, bitcoin.path, bitcoin.networks.mainnet), zpub)
  assert.equal(addressAt(zpub, bitcoin, 0), 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
  assert.equal(addressAt(zpub, bitcoin, 1), 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
})

test('a key says by its letters which addresses it is for; a plain one is for BIP84', () => {
  const account = accountOfSeed(words, "m/49'/0'/0'")
  assert.equal(addressAt(extendedKeyOf(account, 0x049d7cb2), bitcoin, 0), '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf')
  const plain = extendedKeyOf(accountOfSeed(words, bitcoin.path), 0x0488b21e)
  assert.match(plain, /^xpub/)
  assert.equal(addressAt(plain, bitcoin, 0), addressAt(zpub, bitcoin, 0))
  const litecoins = extendedKeyOf(accountOfSeed(words, litecoin.path), 0x019da462)
  assert.match(litecoins, /^Ltub/)
  assert.equal(addressAt(litecoins, litecoin, 0), 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh')
})

test('the same key is the same however it is written, and a wrong letter is found', () => {
  const versions = bitcoin.networks.mainnet.keys
  const read = readExtendedKey(zpub.replace('AijB', 'AijC'), versions)
  assert.match('reason' in read ? read.reason : '', /is no extended public key/)
  assert.match(addressAt(zpub.replace('zpub', 'xprv'), bitcoin, 0), /is private/)
  assert.match(addressAt('', bitcoin, 0), /is needed/)
})
