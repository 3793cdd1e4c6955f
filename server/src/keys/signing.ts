import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { isUuid } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import type { SecretKey } from '#platform/secrets/secret-key'
import type { ApiKeyRow } from './tables.ts'

const algorithm = 'EdDSA'
/** Every token of ours names its purpose; this is the only one signed with this key. */
const tokenType = 'api-key+jwt'

/** Undefined for everything that we did not sign as an API key. Whether the key still holds is the database's word. */
export type VerifiedKey = Pick<ApiKeyRow, 'id' | 'userId'>

type Signer = Pick<Platform, 'config' | 'secrets'>

export function signKey({ config, secrets }: Signer, key: ApiKeyRow): Promise<string> {
  return new SignJWT({ app: key.appId, scopes: key.scopes, stores: key.storeIds })
    .setProtectedHeader({ alg: algorithm, typ: tokenType })
    .setIssuer(config.apiUrl.origin)
    .setSubject(key.userId)
    .setJti(key.id)
    .setIssuedAt(key.dateCreated)
    .sign(keyPair(secrets).privateKey)
}

export async function verifyKey({ config, secrets }: Signer, apiKey: string): Promise<VerifiedKey | undefined> {
  const { publicKey, verified } = keyPair(secrets)
  const name = hash('sha256', apiKey, 'base64')
  const known = verified.get(name)
  if (known) return known
  try {
    // The algorithm is ours, whatever the header says; a key or an address inside the header is never looked at.
    const { payload } = await jwtVerify(apiKey, publicKey, {
      algorithms: [algorithm],
      typ: tokenType,
      issuer: config.apiUrl.origin,
      requiredClaims: ['sub', 'jti', 'iat'],
    })
    const { jti = '', sub = '' } = payload
    if (!isUuid(jti) || !isUuid(sub)) return undefined
    const key = { id: jti, userId: sub }
    verified.set(name, key)
    return key
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

const verifiedMax = 10_000

interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
  /** Signatures that were found good, by the hash of the token: a signature costs more than the look-up. */
  verified: Recent<VerifiedKey>
}

const pairs = new WeakMap<SecretKey, KeyPair>()

/** Derived from the installation's secret, so that every process has the same. */
function keyPair(secrets: SecretKey): KeyPair {
  const made = pairs.get(secrets)
  if (made) return made
  const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, secrets.derive('api-key-signing')]),
    format: 'der',
    type: 'pkcs8',
  })
  const pair = { privateKey, publicKey: createPublicKey(privateKey), verified: recent<VerifiedKey>(verifiedMax) }
  pairs.set(secrets, pair)
  return pair
}

interface Recent<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
}

/** Keeps what was used last; the least used goes. */
function recent<Value>(sizeMax: number): Recent<Value> {
  const values = new Map<string, Value>()
  return {
    get(name) {
      const value = values.get(name)
      if (value === undefined) return undefined
      values.delete(name)
      values.set(name, value)
      return value
    },
    set(name, value) {
      values.set(name, value)
      if (values.size <= sizeMax) return
      for (const oldest of values.keys()) {
        values.delete(oldest)
        break
      }
    },
  }
}
