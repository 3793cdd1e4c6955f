/** What a key may be allowed to do, each said as a seller would read it on the consent page. */
export const scopes = {
  ViewUser: { permission: 'user.view', words: 'See your profile, plan and referral figures' },
  ViewEnabledCryptos: { permission: 'cryptocurrency.enabled.view', words: 'See which cryptocurrencies you accept' },
  ViewCryptoBalance: { permission: 'cryptocurrency.balance.view', words: 'See your cryptocurrency balances' },
  CreateStores: { permission: 'stores.create', words: 'Open new stores for you' },
  ViewStores: { permission: 'stores.view', words: 'See your stores, their settings and analytics' },
  UpdateStores: {
    permission: 'stores.update',
    words: 'Change your stores, their members, webhook secret, domain and FAQ',
  },
  UpdatePaymentMethods: {
    permission: 'stores.payments.update',
    words: 'Change how you are paid, with accounts and keys; send on coins from wallets made here',
  },
  CreateProducts: { permission: 'stores.products.create', words: 'Create products and product groups' },
  ViewProducts: { permission: 'stores.products.view', words: 'See your products, including undelivered items' },
  UpdateProducts: { permission: 'stores.products.update', words: 'Change products, their items, images and files' },
  DeleteProducts: { permission: 'stores.products.delete', words: 'Delete products and product groups' },
  CreateOrders: { permission: 'stores.orders.create', words: 'Create orders' },
  ViewOrders: { permission: 'stores.orders.view', words: 'See orders, customers and delivered items' },
  DeliverOrders: { permission: 'stores.orders.deliver', words: 'Deliver orders' },
  UpdateOrders: { permission: 'stores.orders.update', words: 'Refund, cancel and change orders and customers' },
  CreateCoupons: { permission: 'stores.coupons.create', words: 'Create coupons' },
  ViewCoupons: { permission: 'stores.coupons.view', words: 'See coupons' },
  UpdateCoupons: { permission: 'stores.coupons.update', words: 'Change coupons' },
  DeleteCoupons: { permission: 'stores.coupons.delete', words: 'Delete coupons' },
  ViewTickets: { permission: 'stores.tickets.view', words: 'Read tickets' },
  UpdateTickets: { permission: 'stores.tickets.update', words: 'Reply to tickets' },
  DeleteTickets: { permission: 'stores.tickets.delete', words: 'Close tickets' },
  UpdateReviews: { permission: 'stores.reviews.update', words: 'Reply to reviews in public' },
  ViewFlaggedReviews: { permission: 'stores.reviews.flagged.view', words: 'See which reviews were flagged' },
  FlagReviews: { permission: 'stores.reviews.flag', words: 'Flag reviews for removal' },
} as const satisfies Record<string, { permission: `${string}.${string}`; words: string }>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes).filter(isScope)

/** The same said to somebody who works in another's store. */
export function memberWords(scope: Scope): string {
  return scopes[scope].words.replace('your stores, their', 'the store, its').replace(/\byour\b/, 'its')
}

/** Both spellings of a scope are accepted: the contract's name, with or without `Scopes.`, and the permission string. */
export function scopeNamed(text: string): Scope | undefined {
  const name = text.startsWith('Scopes.') ? text.slice('Scopes.'.length) : text
  return scopeNames.find((scope) => scope === name || scopes[scope].permission === name)
}

function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name)
}
