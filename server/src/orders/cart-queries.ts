import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { statement } from '#platform/db/statement'
import type { StoreRow } from '#stores/tables'

export interface CartProduct {
  id: string
  name: string
  costMinor: number
  visibility: number
  isDynamic: boolean
  ignoreOutOfStock: boolean
  shouldBlockVirtualPrivateNetworks: boolean
  minimumQuantity: number
  maximumQuantity: number
  blacklistedPaymentGateways: string[]
  additionalFees: Record<string, string>
  customValueKeys: string[]
  hasItems: boolean
  /** Null when it is sold once. */
  subscriptionPeriod: string | null
  hasFile: boolean
  available: number
  /** Paid orders wait for items of this product: they come first. */
  isAwaited: boolean
}

export interface CartCoupon {
  id: string
  name: string
  percentageDecrease: number
  enabledProductIds: string[]
}

/** All that decides whether and at what price an order can be placed, read in one statement. */
export interface Surroundings {
  products: CartProduct[]
  /** Null when there is none of that name that can be used now. */
  coupon: CartCoupon | null
  customer: { id: string; emailAddress: string } | null
  /** The store's custom domain, once it is proven. */
  activeDomain: string | null
  affiliateCustomerId: string | null
  /** Whether the store refuses anybody at all. */
  hasBlocks: boolean
  openOrdersOfCustomer: number
  openOrdersOfNetwork: number
  wrongCodes: number
  /** Off in all of the owner's stores, with the reason. */
  disabledMethods: Record<string, string>
  enabledMethods: string[]
  /** What the products' prices are in, at the very moment they were read. */
  currency: string
}

export interface Asked {
  productIds: readonly string[]
  couponCode: string | null
  emailAddress: string | null
  /** Null when the store has no affiliates. */
  affiliateCode: string | null
  /** The true network of a buyer in person. */
  network: string | null
}

export async function selectSurroundings(db: Db, store: StoreRow, asked: Asked): Promise<Surroundings> {
  const [surroundings] = await surroundingsOf(db, { ...asked, storeId: store.id, ownerId: store.ownerId })
  if (!surroundings) throw new Error('a select without from gives one row')
  return surroundings
}

const surroundingsOf = statement(
  (_, asked: Asked & { storeId: string; ownerId: string }) => sql<Surroundings>`
    with customer as (
      select id, email_address from customers
      where store_id = ${asked.storeId} and lower(email_address) = lower(${asked.emailAddress}::text)
    )
    select
      coalesce((
        select jsonb_agg(to_jsonb(product)) from (
          select
            product.id, product.name, product.cost_minor as "costMinor", product.visibility,
            product.is_dynamic as "isDynamic", product.ignore_out_of_stock as "ignoreOutOfStock",
            product.should_block_virtual_private_networks as "shouldBlockVirtualPrivateNetworks",
            product.minimum_quantity as "minimumQuantity", product.maximum_quantity as "maximumQuantity",
            product.blacklisted_payment_gateways as "blacklistedPaymentGateways",
            product.additional_fees as "additionalFees", product.custom_value_keys as "customValueKeys",
            product.has_items as "hasItems", product.subscription_period as "subscriptionPeriod",
            exists (
              select from product_files file where file.store_id = ${asked.storeId} and file.product_id = product.id
            ) as "hasFile",
            (
              select coalesce(sum(counts.available), 0) from product_counts counts
              where counts.store_id = ${asked.storeId} and counts.product_id = product.id
            ) as "available",
            exists (
              select from order_lines line
              where line.store_id = ${asked.storeId} and line.product_id = product.id and line.is_waiting
            ) as "isAwaited"
          from products product
          where product.store_id = ${asked.storeId} and product.id = any(${asked.productIds}::uuid[])
            and product.deleted_at is null
        ) product
      ), '[]') as "products",
      (
        select jsonb_build_object(
          'id', id, 'name', name, 'percentageDecrease', percentage_decrease, 'enabledProductIds', enabled_product_ids
        )
        from coupons
        where store_id = ${asked.storeId} and name = ${asked.couponCode}::text and deleted_at is null and is_enabled
          and (maximum_uses = -1 or uses < maximum_uses)
      ) as "coupon",
      (select jsonb_build_object('id', id, 'emailAddress', email_address) from customer) as "customer",
      (select domain from custom_domains where store_id = ${asked.storeId} and status = 'active') as "activeDomain",
      (
        select id from customers
        where store_id = ${asked.storeId} and affiliate_code = ${asked.affiliateCode}::text and blocked_at is null
          and lower(email_address) <> lower(${asked.emailAddress}::text)
      ) as "affiliateCustomerId",
      exists (select from customer_blocks where store_id = ${asked.storeId}) as "hasBlocks",
      (
        select count(*) from orders
        where store_id = ${asked.storeId} and customer_id = (select id from customer)
          and status = 'Incomplete' and origin = 'checkout'
      ) as "openOrdersOfCustomer",
      (
        select count(*) from orders
        where store_id = ${asked.storeId} and network = ${asked.network}::text
          and status = 'Incomplete' and origin = 'checkout'
      ) as "openOrdersOfNetwork",
      coalesce((
        select guesses from coupon_guesses
        where store_id = ${asked.storeId} and network = ${asked.network}::text and hour = date_trunc('hour', now())
      ), 0) as "wrongCodes",
      coalesce((select disabled_payment_methods from users where id = ${asked.ownerId}), '{}') as "disabledMethods",
      array(
        select method from payment_settings where store_id = ${asked.storeId} and is_enabled
      ) as "enabledMethods",
      (select preferred_currency from stores where id = ${asked.storeId}) as "currency"
  `,
)
