import { type Html, html } from '../html.ts'
import { pageIn, storePage } from '../page.ts'
import { field, notice } from '../parts/field.ts'
import { picture } from '../parts/picture.ts'
import { stock } from '../parts/tile.ts'
import { problemText, reasonText } from '../refusals.ts'
import type { Draft, Shop, Tile } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { methodName } from '../words.ts'

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
  /** The product whose checkout stands in a frame on another site; null in the store itself. */
  embeddedId: string | null
}

export interface Amounts {
  subtotal: number
  discount: number
  fee: number
  total: number
}

export interface MethodChoice {
  id: string
  amounts: Amounts
}

export function basketPage(shop: Shop, basket: Basket): Html {
  const { say } = shop.speech
  if (basket.embeddedId !== null) return embeddedPage(shop, basket)
  return storePage(
    shop,
    { title: `${say('basket')} · ${shop.name}`, path: null },
    html`<div class="wide"><h1>${say('basket')}</h1>
${notice(basket.message && problemText(shop.speech, basket.message))}
${basket.lines.length === 0 ? emptyBasket(shop.speech) : filled(shop, basket)}</div>`,
  )
}

/** Without the store's navigation: the one thing to do here is to order. */
function embeddedPage(shop: Shop, basket: Basket): Html {
  return pageIn(
    shop,
    { title: shop.name, path: null },
    {
      theme: shop.theme,
      top: html``,
      main: html`<div class="wide embedded"><h1 class="small">${shop.name}</h1>
${notice(basket.message && problemText(shop.speech, basket.message))}
${filled(shop, basket)}</div>`,
      bottom: html``,
    },
  )
}

function emptyBasket({ say }: Speech): Html {
  return html`<div class="empty card"><h2>${say('emptyBasket')}</h2><p>${say('emptyBasketText')}</p><p><a class="button primary" href="/">${say('seeProducts')}</a></p></div>`
}

/** One form for everything, so that no button loses what was typed for another. */
function filled(shop: Shop, basket: Basket): Html {
  const { speech } = shop
  const { say } = speech
  return html`<form class="checkout" method="post" action="${basket.embeddedId === null ? '/basket' : `/embed/${basket.embeddedId}?lang=${speech.language}`}" novalidate>
<input type="hidden" name="formKey" value="${basket.formKey}">
<button class="unseen" name="act" value="update" tabindex="-1" aria-hidden="true">${say('updateBasket')}</button>
<div class="main">
<section class="card pad" aria-labelledby="lines"><h2 id="lines" class="unseen">${say('whatYouBuy')}</h2>
<ul class="lines">${basket.lines.map((line) => lineOf(shop, line, basket.embeddedId !== null))}</ul>
<button class="button small" name="act" value="update" formnovalidate>${say('updateQuantities')}</button></section>
<section class="card pad" aria-labelledby="you"><h2 id="you">${say('whereItGoes')}</h2>
${field(speech, { name: 'emailAddress', label: say('emailAddress'), kind: 'email', draft: basket.draft, maxLength: 254, autocomplete: 'email', help: say('emailHelp') })}
${basket.customValues.map(({ key, name }) => field(speech, { name, label: key, draft: basket.draft, maxLength: 1000 }))}
</section>
${methods(shop, basket)}
</div>
${summary(shop, basket)}
</form>`
}

function lineOf(
  { speech, currency }: Shop,
  { product, quantity, reason }: Basket['lines'][number],
  isAlone: boolean,
): Html {
  const { say, price } = speech
  const id = `quantity-${product.id}`
  return html`<li class="line">
${picture(product.imageName, product.name, { sizes: '64px' })}
<div class="what"><a href="/product/${product.id}" ${isAlone && html`target="_top"`}>${product.name}</a>
<p class="facts">${stock(speech, product)}<span>${say('each', { price: price(product.cost, currency) })}</span></p>
${reason !== undefined && html`<p class="reason" id="${id}-reason">${reasonText(speech, say('quantity'), reason)}</p>`}</div>
<div class="how-many"><label class="unseen" for="${id}">${say('quantityOf', { name: product.name })}</label>
<input type="hidden" name="productId" value="${product.id}">
<input id="${id}" type="number" name="quantity" inputmode="numeric" min="${product.minimumQuantity}" step="1" value="${quantity}" ${
    reason !== undefined && html`aria-invalid="true" aria-describedby="${id}-reason"`
  }>
${!isAlone && html`<button class="button small" name="act" value="remove ${product.id}" formnovalidate aria-label="${say('removeNamed', { name: product.name })}">${say('remove')}</button>`}</div>
<p class="price">${price(product.cost * quantity, currency)}</p>
</li>`
}

function methods({ speech, currency }: Shop, { methods: choices, gateway, draft, quote }: Basket): Html {
  const { say } = speech
  const money = (value: number) => speech.amount(value, currency)
  if (quote?.total === 0)
    return html`<input type="hidden" name="gateway" value="free"><input type="hidden" name="shown free" value="0 ${currency}">`
  const reason = draft.reasons['gateway']
  return html`<section class="card pad" aria-labelledby="method"><fieldset class="methods" ${reason && html`aria-describedby="gateway-reason"`}>
<legend><h2 id="method">${say('howYouPay')}</h2></legend>
${choices.length === 0 && html`<p class="quiet">${say('noMethods')}</p>`}
${choices.map(
  ({
    id,
    amounts,
  }) => html`<label class="method"><input type="radio" name="gateway" value="${id}" ${id === gateway && html`checked`}
 data-fee="${money(amounts.fee)}" data-has-fee="${amounts.fee > 0 ? 'yes' : ''}" data-total="${speech.price(amounts.total, currency)}">
<span>${methodName(speech, id)}</span><span class="quiet">${amounts.fee > 0 ? say('feeAndTotal', { fee: money(amounts.fee), total: money(amounts.total) }) : say('noFee')}</span></label>
<input type="hidden" name="shown ${id}" value="${amounts.total} ${currency}">`,
)}
${reason && html`<p class="reason" id="gateway-reason">${reasonText(speech, say('paymentMethod'), reason)}</p>`}
</fieldset></section>`
}

function summary(shop: Shop, basket: Basket): Html {
  const { quote, draft, isCouponTaken, couponCode } = basket
  const { speech, currency } = shop
  const { say } = speech
  const money = (value: number) => speech.amount(value, currency)
  return html`<aside class="summary card pad" aria-labelledby="sum"><h2 id="sum">${say('summary')}</h2>
<div class="coupon">${field(speech, { name: 'couponCode', label: say('coupon'), draft, isRequired: false, maxLength: 25, autocomplete: 'off', subject: say('thisCoupon') })}
<button class="button" name="act" value="coupon" formnovalidate>${say('applyCoupon')}</button></div>
${isCouponTaken && couponCode !== '' && html`<p class="state good" role="status">${say('couponApplied', { code: couponCode })}</p>`}
${
  quote === null
    ? html`<p class="quiet">${say('changeMarked')}</p>`
    : html`<dl class="sum">
<dt>${say('subtotal')}</dt><dd>${money(quote.subtotal)}</dd>
${quote.discount > 0 && html`<dt>${say('discount')}</dt><dd>−${money(quote.discount)}</dd>`}
<dt data-fee-row ${quote.fee === 0 && html`hidden`}>${say('fee')}</dt><dd data-fee-row data-fee ${quote.fee === 0 && html`hidden`}>${money(quote.fee)}</dd>
<dt class="total">${say('total')}</dt><dd class="total" data-total aria-live="polite">${speech.price(quote.total, currency)}</dd>
</dl>`
}
<button class="button primary whole" name="act" value="order" ${basket.embeddedId !== null && html`formtarget="_top"`} ${(quote === null || (quote.total > 0 && basket.methods.length === 0)) && html`disabled`}>${say('placeOrder')}</button>
${agreement(shop)}
</aside>`
}

function agreement({ hasTerms, hasPrivacy, speech: { say, put } }: Shop): Html | false {
  if (!hasTerms && !hasPrivacy) return false
  const terms = html`<a href="/terms">${say('termsInSentence')}</a>`
  const privacy = html`<a href="/privacy">${say('privacyInSentence')}</a>`
  const words =
    hasTerms && hasPrivacy
      ? put('agreeBoth', { terms, privacy })
      : put('agreeTerms', { terms: hasTerms ? terms : privacy })
  return html`<p class="help">${words}</p>`
}
