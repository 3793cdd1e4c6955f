import type { Config } from '#config'

type Addresses = Pick<Config, 'apiUrl' | 'storeDomain' | 'storeScheme'>

/** The host of a store's pages. Addresses come from settings, never from a request's headers. */
export function storeHost(config: Addresses, store: { url: string; activeDomain: string | null }): string {
  return store.activeDomain ?? `${store.url.toLowerCase()}.${config.storeDomain}`
}

export function storeOrigin(config: Addresses, store: { url: string; activeDomain: string | null }): string {
  return `${config.storeScheme}//${storeHost(config, store)}`
}

export function imageUrl(config: Addresses, name: string): string {
  return `${config.apiUrl.origin}/images/${name}`
}
