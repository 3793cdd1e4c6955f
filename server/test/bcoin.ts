import { createRequire } from 'node:module'

/** So much of bcoin as tests need; it brings no types. */
export interface Tx {
  inputs: { prevout: { txid(): string; index: number } }[]
  outputs: { value: number; script: { toRaw(): Buffer } }[]
  txid(): string
}

export interface Entry {
  height: number
}

export interface Block {
  txs: Tx[]
  time: number
}

export interface Coin {
  value: number
}

export interface Mtx {
  addCoin(coin: Coin): void
  addOutput(output: { script: unknown; value: number } | { address: unknown; value: number }): void
  sign(ring: KeyRing): number
  verify(): boolean
  toTX(): Tx
}

export interface KeyRing {
  witness: boolean
  getAddress(): unknown
}

export interface MiningJob {
  pushTX(tx: Tx): void
  refresh(): void
  mineAsync(): Promise<Block>
}

export interface FullNode {
  ensure(): Promise<void>
  open(): Promise<void>
  connect(): Promise<void>
  close(): Promise<void>
  rpc: { execute(call: { method: string; params: unknown[] }): Promise<unknown> }
  chain: {
    tip: Entry
    height: number
    add(block: Block): Promise<Entry>
    getEntry(height: number): Promise<Entry>
  }
  miner: {
    mineBlock(tip: Entry, address: unknown): Promise<Block>
    createJob(tip: Entry, address: unknown): Promise<MiningJob>
  }
  mempool: {
    addTX(tx: Tx): Promise<unknown>
    evictEntry(entry: unknown): void
    map: Map<string, { tx: Tx }>
  }
  getBlock(height: number): Promise<Block>
}

export interface Bcoin {
  FullNode: new (options: object) => FullNode
  KeyRing: { generate(): KeyRing; fromPrivate(key: Buffer): KeyRing }
  Mnemonic: { fromPhrase(words: string): unknown }
  HDPrivateKey: { fromMnemonic(mnemonic: unknown): { derivePath(path: string): { privateKey: Buffer } } }
  MTX: new () => Mtx
  Coin: { fromTX(tx: Tx, index: number, height: number): Coin }
  Script: { fromRaw(raw: Buffer): unknown }
}

/** In JavaScript alone: nothing of it is compiled. */
export function loadBcoin(): Bcoin {
  process.env['NODE_BACKEND'] = 'js'
  return createRequire(import.meta.url)('bcoin')
}
