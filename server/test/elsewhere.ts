import assert from 'node:assert/strict'
import { endpoints } from '@keystall/contract/endpoints/index'
import type { Elsewhere } from './bad-input.ts'
import { furnish, type Furnished, pathIn } from './furnished.ts'
import { askingFor, type Credentials, type Line } from './line.ts'

type Seller = Required<Pick<Credentials, 'apiKey' | 'cookie'>>

export async function furnishElsewhere(
  line: Line,
  { seller, stranger }: { seller: Seller; stranger: Seller },
  word: string,
): Promise<Elsewhere> {
  const foreign = await furnish(line, stranger, `${word}f`)
  const deleted = await furnish(line, seller, `${word}d`)
  await deleteFrom(line, seller, deleted)
  const withoutDecimals = await furnish(line, seller, `${word}w`, { preferredCurrency: 'JPY' })
  return { foreign, deleted, withoutDecimals }
}

/** What holds others comes last. */
const deletions = [
  endpoints.deleteCoupon,
  endpoints.removeFaqEntry,
  endpoints.deleteWebhook,
  endpoints.deleteCustomerBlock,
  endpoints.withdrawInvitation,
  endpoints.cancelFileUpload,
  endpoints.removeProductFile,
  endpoints.removeProductImage,
  endpoints.revokeKey,
  endpoints.deleteProductGroup,
  endpoints.deleteProduct,
]

async function deleteFrom(line: Line, { apiKey, cookie }: Seller, furnished: Furnished): Promise<void> {
  for (const endpoint of deletions) {
    const credentials = endpoint.access === 'session' ? { cookie } : { apiKey }
    const path = pathIn(furnished, endpoint)
    const { status, text } = await line.ask(askingFor(line.address, endpoint, { path }, credentials))
    assert.equal(status, 200, `${endpoint.path}: ${text}`)
  }
}
