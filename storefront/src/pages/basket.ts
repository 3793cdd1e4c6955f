import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { field, notice } from '../parts/field.ts'
import { picture } from '../parts/picture.ts'
import { stock } from '../parts/tile.ts'
import type { Draft, Shop, Tile } from '../shop.ts'
import { amount, price } from '../words.ts'

export interface Basket {
  lines: { product: Tile; quantity: number; reason: string | undefined }[]
  methods: MethodChoice[]
  /** Null while something in the basket must be changed first. */
  quote: Amounts | null
  gateway: string
  couponCode: string
  isCouponTaken: boolean
  customValues: { key: string; name: string }[]
  draft: Draft
  /** One for each cart as it was shown: sent twice, it makes one order. */
  formKey: string
  message: string | undefined
}

export interface Amounts {
  subtotal: number
  discount: number
  fee: number
  total: number
}

export interface MethodChoice {
  id: string
  name: string
  amounts: Amounts
}

export function basketPage(shop: Shop, basket: Basket): Html {
  return storePage(
    shop,
    { title: `Basket · ${shop.name}`, path: null },
    html`<div class="wide"><h1>Basket</h1>
${notice(basket.message)}
${basket.lines.length === 0 ? emptyBasket() : filled(shop, basket)}</div>`,
  )
}

function emptyBasket(): Html {
  return html`<div class="empty card"><h2>Your basket is empty</h2><p>What you add stays here for 30 days.</p><p><a class="button primary" href="/">See the products</a></p></div>`
}

/** One form for everything, so that no button loses what was typed for another. */
function filled(shop: Shop, basket: Basket): Html {
  return html`<form class="checkout" method="post" action="/basket" novalidate>
<input type="hidden" name="formKey" value="${basket.formKey}">
<button class="unseen" name="act" value="update" tabindex="-1" aria-hidden="true">Update basket</button>
<div class="main">
<section class="card pad" aria-labelledby="lines"><h2 id="lines" class="unseen">What you buy</h2>
<ul class="lines">${basket.lines.map((line) => lineOf(shop, line))}</ul>
<button class="button small" name="act" value="update" formnovalidate>Update quantities</button></section>
<section class="card pad" aria-labelledby="you"><h2 id="you">Where it goes</h2>
${field({ name: 'emailAddress', label: 'E-mail', kind: 'email', draft: basket.draft, maxLength: 254, autocomplete: 'email', help: 'Your receipt and a link to your order are sent here.' })}
${basket.customValues.map(({ key, name }) => field({ name, label: key, draft: basket.draft, maxLength: 1000 }))}
</section>
${methods(shop, basket)}
</div>
${summary(shop, basket)}
</form>`
}

function lineOf(shop: Shop, { product, quantity, reason }: Basket['lines'][number]): Html {
  const id = `quantity-${product.id}`
  return html`<li class="line">
${picture(product.imageName, product.name, { sizes: '64px' })}
<div class="what"><a href="/product/${product.id}">${product.name}</a>
<p class="facts">${stock(product)}<span>${price(product.cost, shop.currency)} each</span></p>
${reason !== undefined && html`<p class="reason" id="${id}-reason">Quantity ${reason}</p>`}</div>
<div class="how-many"><label class="unseen" for="${id}">Quantity of ${product.name}</label>
<input type="hidden" name="productId" value="${product.id}">
<input id="${id}" type="number" name="quantity" inputmode="numeric" min="${product.minimumQuantity}" step="1" value="${quantity}" ${
    reason !== undefined && html`aria-invalid="true" aria-describedby="${id}-reason"`
  }>
<button class="button small" name="act" value="remove ${product.id}" formnovalidate aria-label="Remove ${product.name}">Remove</button></div>
<p class="price">${price(product.cost * quantity, shop.currency)}</p>
</li>`
}

function methods(shop: Shop, { methods: choices, gateway, draft, quote }: Basket): Html {
  if (quote?.total === 0)
    return html`<input type="hidden" name="gateway" value="free"><input type="hidden" name="shown free" value="0">`
  const reason = draft.reasons['gateway']
  return html`<section class="card pad" aria-labelledby="method"><fieldset class="methods" ${reason && html`aria-describedby="gateway-reason"`}>
<legend><h2 id="method">How you pay</h2></legend>
${choices.length === 0 && html`<p class="quiet">This store takes no payments for these products at the moment.</p>`}
${choices.map(
  ({
    id,
    name,
    amounts,
  }) => html`<label class="method"><input type="radio" name="gateway" value="${id}" ${id === gateway && html`checked`}
 data-fee="${amount(amounts.fee, shop.currency)}" data-has-fee="${amounts.fee > 0 ? 'yes' : ''}" data-total="${price(amounts.total, shop.currency)}">
<span>${name}</span><span class="quiet">${amounts.fee > 0 ? html`${amount(amounts.fee, shop.currency)} fee, ${amount(amounts.total, shop.currency)} in all` : 'No fee'}</span></label>
<input type="hidden" name="shown ${id}" value="${amounts.total}">`,
)}
${reason && html`<p class="reason" id="gateway-reason">The payment method ${reason}</p>`}
</fieldset></section>`
}

function summary(shop: Shop, basket: Basket): Html {
  const { quote, draft, isCouponTaken, couponCode } = basket
  const money = (value: number) => amount(value, shop.currency)
  return html`<aside class="summary card pad" aria-labelledby="sum"><h2 id="sum">Summary</h2>
<div class="coupon">${field({ name: 'couponCode', label: 'Coupon', draft, isRequired: false, maxLength: 25, autocomplete: 'off', subject: 'This coupon' })}
<button class="button" name="act" value="coupon" formnovalidate>Apply coupon</button></div>
${isCouponTaken && couponCode !== '' && html`<p class="state good" role="status">${couponCode} is applied</p>`}
${
  quote === null
    ? html`<p class="quiet">Change what is marked to see the total.</p>`
    : html`<dl class="sum">
<dt>Subtotal</dt><dd>${money(quote.subtotal)}</dd>
${quote.discount > 0 && html`<dt>Discount</dt><dd>−${money(quote.discount)}</dd>`}
<dt data-fee-row ${quote.fee === 0 && html`hidden`}>Fee</dt><dd data-fee-row data-fee ${quote.fee === 0 && html`hidden`}>${money(quote.fee)}</dd>
<dt class="total">Total</dt><dd class="total" data-total aria-live="polite">${price(quote.total, shop.currency)}</dd>
</dl>`
}
<button class="button primary whole" name="act" value="order" ${(quote === null || (quote.total > 0 && basket.methods.length === 0)) && html`disabled`}>Place order</button>
${
  (shop.hasTerms || shop.hasPrivacy) &&
  html`<p class="help">By ordering you agree to the store’s ${shop.hasTerms && html`<a href="/terms">terms</a>`}${
    shop.hasTerms && shop.hasPrivacy && ' and '
  }${shop.hasPrivacy && html`<a href="/privacy">privacy policy</a>`}.</p>`
}
</aside>`
}
