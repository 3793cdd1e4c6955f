import type { Product } from '@keystall/contract/shapes/product'
import type { Endpoint } from '@keystall/contract/endpoint'
import type { Seller } from './factories.ts'
import type { TestServer } from './harness.ts'

export interface Part {
  name: string
  content: Buffer | string
  fileName?: string
  type?: string
}

const boundary = 'xXxTheBoundaryxXx'

export const multipartType = `multipart/form-data; boundary=${boundary}`

/** Written by hand, so that tests can send what no library would. */
export function multipart(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  const written = parts.map(({ name, content, fileName, type = 'application/octet-stream' }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${type}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
  })
  return Buffer.concat([...written, Buffer.from(end)])
}

/** After an upload there is at least one; tests read it without asking. */
type UploadedTo = Omit<Product, 'files' | 'imageNames'> & {
  files: AtLeastOne<'files'>
  imageNames: AtLeastOne<'imageNames'>
}
type AtLeastOne<Name extends 'files' | 'imageNames'> = [Product[Name][number], ...Product[Name]]

export interface Uploaded {
  status: number
  body: { code?: string; message: string; data: UploadedTo }
  fields: Record<string, string>
}

export async function upload(
  { app }: TestServer,
  seller: Seller,
  endpoint: Endpoint,
  {
    path,
    body,
    type = multipartType,
    query = '',
  }: { path: Record<string, string>; body: Buffer; type?: string; query?: string },
): Promise<Uploaded> {
  const tokens: Record<string, string> = { storeId: seller.storeId, ...path }
  const response = await app.api.inject({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, (_, token) => encodeURIComponent(tokens[token] ?? '')) + query,
    headers: { authorization: `Bearer ${seller.apiKey}`, 'content-type': type },
    payload: body,
  })
  const reply = JSON.parse(response.body)
  const fields: { fieldName: string; reason: string }[] = reply.invalidFields ?? []
  return {
    status: response.statusCode,
    body: reply,
    fields: Object.fromEntries(fields.map(({ fieldName, reason }) => [fieldName, reason])),
  }
}
