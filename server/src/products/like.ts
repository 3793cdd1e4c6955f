import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { job } from '#platform/jobs/job'
import { networkOf } from '#platform/network'
import { keyedHash } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { Problem } from '#problem'
import {
  addLikes,
  deleteLike,
  deleteLikeNetworksBefore,
  insertLike,
  type Liked,
  selectIsLiked,
  takeLikeOfNetwork,
} from './like-queries.ts'
import { raiseRevision } from './revision.ts'

/** From one network a day: a house or an office may like a product, a script cannot like it a thousand times. */
const likesOfNetworkMax = 20
const tooManyLikes = 'Too many likes came from here today: try again tomorrow'

export const forgetLikeNetworksJob = job('forget-like-networks', Type.Object({}))

/**
 * Whoever likes something. An address and a browser's name do not make a visitor: offices share both, and a phone changes
 * its address by the hour. So the browser is given a random number with its first like, and not before: whoever only
 * looks carries no cookie. The number's keyed hash is all that is stored, another one in each store. Throwing the cookie
 * away makes a new visitor, which is why a network is limited too.
 */
export interface Liker {
  /** The random number that the browser keeps. */
  token: string
  ip: string
}

/** Once a visitor: again does nothing. */
export async function likeProduct(
  tx: Tx,
  secrets: SecretKey,
  product: Liked,
  liker: Liker,
  now = new Date(),
): Promise<void> {
  if (!(await insertLike(tx, product, visitorOf(secrets, product, liker)))) return
  const day = now.toISOString().slice(0, 10)
  const key = secrets.derive(`likes of ${day}`)
  const network = keyedHash(key, JSON.stringify([product.storeId, networkOf(liker.ip)])).subarray(0, 16)
  if (!(await takeLikeOfNetwork(tx, product, { day, network, likesMax: likesOfNetworkMax })))
    throw new Problem('RateLimited', tooManyLikes)
  await addLikes(tx, product, 1)
  await raiseRevision(tx, product)
}

export async function unlikeProduct(
  tx: Tx,
  secrets: SecretKey,
  product: Liked,
  liker: Pick<Liker, 'token'>,
): Promise<void> {
  if (!(await deleteLike(tx, product, visitorOf(secrets, product, liker)))) return
  await addLikes(tx, product, -1)
  await raiseRevision(tx, product)
}

export function isLiked(db: Db, secrets: SecretKey, product: Liked, liker: Pick<Liker, 'token'>): Promise<boolean> {
  return selectIsLiked(db, product, visitorOf(secrets, product, liker))
}

/** Whoever liked something before today. */
export function forgetLikeNetworks(db: Db, now = new Date()): Promise<void> {
  return deleteLikeNetworksBefore(db, now.toISOString().slice(0, 10))
}

function visitorOf(secrets: SecretKey, { storeId }: Liked, { token }: Pick<Liker, 'token'>): Buffer {
  return keyedHash(secrets.derive('likes'), JSON.stringify([storeId, token])).subarray(0, 16)
}
