import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { randomBytes } from 'node:crypto'

/** Twelve words (BIP39) from which a whole wallet follows. Whoever has them has the money. */
export function newSeed(): string {
  return entropyToMnemonic(randomBytes(16), wordlist)
}

/** The account of a seed, such as `m/84'/0'/0'`: with its private key. */
export function accountOfSeed(words: string, path: string): HDKey {
  return HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(path)
}
