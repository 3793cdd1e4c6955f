import type { Endpoint } from '@keystall/contract/endpoint'
import type { BadInput } from './bad-input.ts'

/** Something to be sent to an endpoint. */
export interface Trial extends BadInput {
  name: string
  endpoint: Endpoint
}

/** Its class stands between the colon and the comma. */
export function told({ name, sort, kind }: Trial): string {
  return `${name}: ${sort}, ${kind}`
}
