import { p2sh, p2wpkh } from '@scure/btc-signer'
import type { Wallet } from '../chain/coin.ts'
import { extendedKeyOf, fingerprintOf, publicKeyAt, readExtendedKey } from '../chain/extended-key.ts'
import { accountOfSeed } from '../chain/seed.ts'
import type { Network } from './parameters.ts'

/** The wallet of an extended public key, or why it cannot be used. */
export function walletOf(
  { extendedKey, confirmations }: { extendedKey: string; confirmations: string },
  network: Network,
): Wallet | { reason: string } {
  if (extendedKey === '') return { reason: 'is needed, unless a wallet is made here' }
  const read = readExtendedKey(extendedKey, network.keys)
  if ('reason' in read) return read
  const { account, version } = read
  return {
    fingerprint: fingerprintOf(account),
    confirmations,
    // The chain shows an address as its script: that has no prefix, and no two spellings.
    derive(index) {
      const segwit = p2wpkh(publicKeyAt(account, index), network)
      const paid = version.script === 'segwit' ? segwit : p2sh(segwit, network)
      if (paid.address === undefined) throw new Error('these scripts have an address')
      return { address: paid.address, target: Buffer.from(paid.script).toString('hex') }
    },
  }
}

/** The extended public key of a seed's account, in the form that the network knows. */
export function extendedKeyOfSeed(words: string, path: string, { keys }: Network): string {
  const version = keys.find(({ script }) => script === 'segwit')?.version
  if (version === undefined) throw new Error('every network has keys for segwit')
  return extendedKeyOf(accountOfSeed(words, path), version)
}
