import type { Readable } from 'node:stream'

/** Where uploaded bytes are kept, under names of our own. */
export interface Storage {
  /** All of it or nothing: readers see the old bytes until the new ones are safe. Too many bytes are refused. */
  put(key: string, stream: Readable, limits: { bytesMax: number }): Promise<StoredBlob>
  /** `bytes` is the size of the whole; `end` counts. Undefined when there is nothing under the key. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | undefined>
  /** Nothing happens when there is nothing. */
  remove(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  /** Everything whose key begins so, in no order: to find what no row names any more. */
  list(prefix: string): AsyncIterable<ListedBlob>
  /** Of uploads whose process died. */
  removeLeftOvers(): Promise<void>
}

export interface StoredBlob {
  readonly bytes: number
  readonly sha256: string
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ListedBlob {
  readonly key: string
  readonly bytes: number
  readonly modifiedAt: Date
}

/** The disk is full, or the object storage is away: the same request may succeed later. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('the storage is not available', { cause })
  }
}

const part = '[A-Za-z0-9][A-Za-z0-9._-]*'
const keyPattern = new RegExp(`^${part}(/${part})*$`)
const keyCharactersMax = 512

/** No part can begin with a dot, so no key leads out of its folder. */
export function checkKey(key: string): void {
  if (key.length > keyCharactersMax || !keyPattern.test(key))
    throw new Error(`not a storage key: ${JSON.stringify(key)}`)
}
