/** An address of the store's own pages. */
export function storeAddress({ domain }: { domain: string }, path = '/'): string {
  return `${location.protocol}//${domain}${path}`
}
