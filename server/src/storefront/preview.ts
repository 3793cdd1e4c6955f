import type { PreviewForm, ProductDraft } from '@keystall/contract/endpoints/storefront'
import { visibilities } from '@keystall/contract/shapes/product'
import type { Html } from '@keystall/storefront/html'
import type { Filled } from '#platform/http/implement'
import { newId } from '#platform/db/ids'
import { toMinor } from '#platform/money/money'
import type { Platform } from '#platform/platform'
import { columnsOf } from '#stores/store'
import type { StoreRow } from '#stores/tables'
import { loadOpenStore, type OpenStore } from '#views/open-store'
import { type ProductDetails, productDetails } from '#views/product'
import { productPageOf } from './catalogue-pages.ts'
import { homePageOf } from './home-page.ts'
import { shopOf } from './shop.ts'
import { previewThemeAddress } from './preview-pages.ts'
import type { StoreVisit } from './visit.ts'

/** A page as it would be once the forms are saved, made by the code that makes the page itself. */
export async function previewOf(
  visit: Omit<StoreVisit, 'store'>,
  store: StoreRow,
  form: Filled<PreviewForm>,
): Promise<Html> {
  const { platform } = visit
  const saved = await loadOpenStore(platform.db, store.id)
  const shown: OpenStore = form.store === null ? saved : { ...saved, ...columnsOf(form.store) }
  const shop = shopOf({ ...visit, store: shown }).then((made) => ({
    ...made,
    assets: { ...made.assets, theme: previewThemeAddress(shown) },
  }))
  if (form.product === null) return homePageOf({ ...visit, store: shown }, shop)
  return productPageOf({ ...visit, store: shown }, shop, await drafted(platform, shown, form.product))
}

async function drafted({ db }: Platform, store: OpenStore, draft: Filled<ProductDraft>): Promise<ProductDetails> {
  const saved =
    draft.id === null
      ? undefined
      : await productDetails(db, [store.id]).where('products.id', '=', draft.id).executeTakeFirst()
  const { id: _, cost, ...fields } = draft
  return { ...(saved ?? blank(store)), ...fields, costMinor: toMinor(cost, store.preferredCurrency) ?? 0 }
}

/** A product that is not there yet looks as if it could be bought. */
function blank(store: StoreRow): ProductDetails {
  return {
    storeId: store.id,
    id: newId(),
    dateCreated: new Date(),
    name: '',
    description: null,
    costMinor: 0,
    visibility: visibilities.public,
    type: 0,
    tags: [],
    webhookUrl: null,
    isPinned: false,
    isDynamic: false,
    ignoreOutOfStock: false,
    shouldBlockVirtualPrivateNetworks: false,
    isBestSeller: false,
    fallbackToItems: false,
    imageNames: [],
    customValueKeys: [],
    deliveryMessage: null,
    minimumQuantity: 1,
    maximumQuantity: -1,
    position: 0,
    blacklistedPaymentGateways: [],
    additionalFees: {},
    metadata: null,
    subscriptionPeriod: null,
    hasItems: false,
    likes: 0,
    ratingSum: 0,
    ratingCount: 0,
    deletedAt: null,
    wasFeatured: false,
    available: 1,
    sold: 0,
    files: [{ id: newId(), dateCreated: new Date().toISOString(), friendlyName: '' }],
  }
}
