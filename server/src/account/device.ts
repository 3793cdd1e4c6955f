import type { SecretKey } from '#platform/secrets/secret-key'
import { keyedHash } from '#platform/secrets/seal'
import { isSameSecret, newToken } from '#platform/secrets/tokens'

/**
 * A browser in which somebody signed in before is told apart from strangers, so that strangers who guess can slow
 * each other down but never lock the owner out. It carries no rights of its own.
 */
export function newDevice(secrets: SecretKey, emailAddress: string): string {
  const nonce = newToken(128)
  return `${nonce}.${sign(secrets, nonce, emailAddress)}`
}

/** What tries of this browser are counted under; undefined for a stranger to this account. */
export function knownDevice(secrets: SecretKey, device: string | undefined, emailAddress: string): string | undefined {
  const [nonce, signature] = (device ?? '').split('.')
  if (!nonce || !signature || nonce.length > 64) return undefined
  return isSameSecret(signature, sign(secrets, nonce, emailAddress)) ? nonce : undefined
}

function sign(secrets: SecretKey, nonce: string, emailAddress: string): string {
  return keyedHash(secrets.derive('known-device'), `${nonce} ${emailAddress.toLowerCase()}`).toString('base64url')
}
