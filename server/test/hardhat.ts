import { afterAll } from 'vitest'
import { startHardhat } from './hardhat-server.ts'

/** For as long as a file's tests run. */
export async function aHardhat() {
  const chain = await startHardhat()
  afterAll(() => chain.stop())
  return chain
}
