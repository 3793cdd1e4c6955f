import type { HDKey } from '@scure/bip32'
import type { Wallet } from '../chain/coin.ts'
import { extendedKeyOf, fingerprintOf, publicKeyAt, readExtendedKey } from '../chain/extended-key.ts'
import { accountOfSeed } from '../chain/seed.ts'
import { addressOf } from './address.ts'

const xpub = { name: 'xpub', version: 0x0488b21e }
/** BIP44; the account's outer chain has the orders' addresses. */
const accountPath = "m/44'/60'/0'"

/** The wallet of an extended public key, or why it cannot be used. */
export function walletOf({
  extendedKey,
  confirmations,
}: {
  extendedKey: string
  confirmations: string
}): Wallet | { reason: string } {
  if (extendedKey === '') return { reason: 'is needed, unless a wallet is made here' }
  const read = readExtendedKey(extendedKey, [xpub])
  if ('reason' in read) return read
  const { account } = read
  return {
    fingerprint: fingerprintOf(account),
    confirmations,
    derive(index) {
      const address = addressOf(publicKeyAt(account, index))
      return { address, target: address.toLowerCase() }
    },
  }
}

export function extendedKeyOfSeed(words: string): string {
  return extendedKeyOf(spendingAccount(words), xpub.version)
}

/** With its private key. */
export function spendingAccount(words: string): HDKey {
  return accountOfSeed(words, accountPath)
}
