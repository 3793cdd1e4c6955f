import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts and authenticates (AES-256-GCM). What the text belongs to (`context`, such as a row's id) is
 * authenticated with it, so that a sealed value moved to another row does not open.
 */
export function seal(key: Buffer, text: string, context = ''): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body])
}

/** Throws when a byte was changed, the key is another or the context differs. */
export function open(key: Buffer, sealed: Buffer, context = ''): string {
  if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== version) throw new Error('not a sealed value')
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(tag)
  const body = decipher.update(sealed.subarray(1 + nonceBytes + tagBytes))
  return Buffer.concat([body, decipher.final()]).toString('utf8')
}

/** The same for the same text, useless without the key: to look up what is stored sealed. */
export function keyedHash(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}
