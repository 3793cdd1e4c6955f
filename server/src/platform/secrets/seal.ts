import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto'

const version = 1
const head = Buffer.of(version)
const nonceBytes = 12
const tagBytes = 16
// Random bytes are fetched for many nonces at a time: the call costs as much as sealing a short text.
const noncesAtOnce = 1_000
let random = Buffer.alloc(0)
let randomUsed = 0

/**
 * Encrypts and authenticates (AES-256-GCM). What the text belongs to (`context`, such as a row's id) is
 * authenticated with it, so that a sealed value moved to another row does not open.
 * A `KeyObject` is five times as fast as the bytes of the key.
 */
export function seal(key: Buffer | KeyObject, text: string, context = ''): Buffer {
  return Buffer.concat(sealedParts(key, text, Buffer.from(context, 'utf8')))
}

/** What `seal` puts together, for whoever puts many together at once. */
export function sealedParts(key: Buffer | KeyObject, text: string, context: Buffer): [Buffer, Buffer, Buffer, Buffer] {
  const nonce = newNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(context)
  // A stream cipher: nothing is left for the end but the tag.
  const body = cipher.update(text, 'utf8')
  cipher.final()
  return [head, nonce, cipher.getAuthTag(), body]
}

/** Throws when a byte was changed, the key is another or the context differs. */
export function open(key: Buffer | KeyObject, sealed: Buffer, context = ''): string {
  if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== version) throw new Error('not a sealed value')
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(tag)
  const body = decipher.update(sealed.subarray(1 + nonceBytes + tagBytes))
  decipher.final()
  return body.toString('utf8')
}

/** The same for the same text, useless without the key: to look up what is stored sealed. */
export function keyedHash(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

function newNonce(): Buffer {
  if (randomUsed === random.length) {
    // Never filled again: nonces that were given away lie in it.
    random = randomBytes(nonceBytes * noncesAtOnce)
    randomUsed = 0
  }
  randomUsed += nonceBytes
  return random.subarray(randomUsed - nonceBytes, randomUsed)
}
