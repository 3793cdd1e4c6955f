import { type Html, html } from '../html.ts'
import type { ShownOrder } from '../order.ts'
import type { Speech } from '../speech.ts'

const codes: Readonly<Record<string, string>> = { bitcoin: 'BTC', litecoin: 'LTC', ethereum: 'ETH', usdc: 'USDC' }

/** Where to send how much of a coin: to be read, copied, opened or photographed. */
export function coin({ say }: Speech, { gateway, step, qrCode }: ShownOrder, address: string): Html {
  const { amount = null, uri = null } = step ?? {}
  const copy = (text: string | null) =>
    html`<button class="button small" type="button" data-copy-text="${text}" data-copied="${say('copied')}" hidden>${say('copy')}</button>`
  return html`<div class="coin">${qrCode}<dl>
<dt>${say('amount')}</dt><dd><code>${amount}</code> ${codes[gateway] ?? ''} ${copy(amount)}</dd>
<dt>${say('address')}</dt><dd><code>${address}</code> ${copy(address)}</dd>
</dl></div>
${uri && html`<p><a class="button primary" href="${uri}" rel="noreferrer">${say('openInWallet')}</a></p>`}
<p class="help">${say('coinHelp')}</p>`
}
