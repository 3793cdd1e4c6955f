import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest())
const keyBytes = 78
/** Version of a key as BIP32 knows it; every other one only says what to make of the key. */
const plainVersion = 0x0488b21e

/** What the version of an extended key says. */
export interface KeyVersion {
  /** Its first letters, as wallets show them. */
  readonly name: string
  readonly version: number
}

/** An extended public key of an account. The reason, when it is none that can be used: it finishes "the key …". */
export function readExtendedKey<V extends KeyVersion>(
  text: string,
  versions: readonly V[],
): { account: HDKey; version: V } | { reason: string } {
  const names = versions.map(({ name }) => name).join(', ')
  if (/^[a-zA-Z]prv/.test(text)) return { reason: 'is private and must stay with you: enter the public one' }
  const bytes = decoded(text)
  if (bytes?.length !== keyBytes) return { reason: `is no extended public key: it begins with one of ${names}` }
  const view = Buffer.from(bytes)
  const version = versions.find((each) => each.version === view.readUInt32BE(0))
  if (!version) return { reason: `must begin with one of ${names}` }
  view.writeUInt32BE(plainVersion, 0)
  try {
    return { account: HDKey.fromExtendedKey(base58check.encode(view)), version }
  } catch {
    return { reason: 'is not whole: copy it again' }
  }
}

/** The public part of an account, as wallets with this version of keys write it. */
export function extendedKeyOf({ publicExtendedKey }: HDKey, version: number): string {
  const bytes = Buffer.from(base58check.decode(publicExtendedKey))
  bytes.writeUInt32BE(version, 0)
  return base58check.encode(bytes)
}

/** The same for the same key, however it is written. */
export function fingerprintOf({ publicKey, chainCode }: HDKey): string {
  return createHash('sha256')
    .update(publicKey ?? '')
    .update(chainCode ?? '')
    .digest('hex')
    .slice(0, 32)
}

/** The public key of the order with this index: of the account's outer chain. */
export function publicKeyAt(account: HDKey, index: number): Uint8Array {
  const { publicKey } = account.deriveChild(0).deriveChild(index)
  if (!publicKey) throw new Error('every derived key has a public one')
  return publicKey
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text)
  } catch {
    return undefined
  }
}
