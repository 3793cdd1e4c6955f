import type { Config } from '#config'
import { imageUrl } from '#platform/addresses'
import type { StoreRow } from '#stores/tables'
import { toSocialMediaAccounts } from './public-store.ts'

/** The form as it was last saved. */
export function toStoreSettings(config: Config, store: StoreRow) {
  return {
    ...store,
    socialMediaAccounts: toSocialMediaAccounts(store),
    profileImage: store.logoName === null ? null : imageUrl(config, store.logoName),
  }
}
