import type { EvmClient } from './client.ts'

export async function headerAt(client: EvmClient, height: number) {
  return client.getBlock({ blockNumber: BigInt(height) }).catch(unlessMissing)
}

/** The last block before the moment, a little earlier: clocks differ. */
export async function heightBefore(client: EvmClient, since: Date | null, head: number): Promise<number> {
  const moment = (since?.getTime() ?? Date.now()) / 1000 - 120
  let [low, high] = [-1, head]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const header = await headerAt(client, middle)
    if (header && Number(header.timestamp) < moment) low = middle
    else high = middle - 1
  }
  return low
}

/** Of a chain that has no such block or transaction; whatever else goes wrong ends the reading. */
export function unlessMissing(error: unknown): undefined {
  const name = error instanceof Error ? error.name : ''
  if (name === 'BlockNotFoundError' || name === 'TransactionNotFoundError') return undefined
  throw error
}
