import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The address of a compressed public key, in mixed case (EIP-55) so that a wrong letter is found. */
export function addressOf(publicKey: Uint8Array): string {
  const point = Buffer.from(ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed'))
  return checksummed(
    Buffer.from(keccak_256(point.subarray(1)))
      .toString('hex')
      .slice(-40),
  )
}

/** Undefined when it is no address, or its mixed case shows that a letter is wrong. */
export function readAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const address = checksummed(text.slice(2).toLowerCase())
  const isPlain = text === text.toLowerCase() || text.slice(2) === text.slice(2).toUpperCase()
  return isPlain || text === address ? address : undefined
}

function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
  const mixed = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}
