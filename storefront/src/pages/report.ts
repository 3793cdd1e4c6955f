import { reportTypes } from '@keystall/contract/shapes/staff'
import { type Html, html } from '../html.ts'
import type { MessageKey } from '../messages/message.ts'
import { storePage } from '../page.ts'
import { field, notice } from '../parts/field.ts'
import { reasonText } from '../refusals.ts'
import type { Draft, Shop } from '../shop.ts'
import type { Speech } from '../speech.ts'

type ReportType = (typeof reportTypes)[number]

const names = {
  fraud: 'reportFraud',
  counterfeit: 'reportCounterfeit',
  stolen: 'reportStolen',
  illegal: 'reportIllegal',
  other: 'reportOther',
} as const satisfies Record<ReportType, MessageKey>

export interface ReportPage {
  draft: Draft
  /** Why the report as a whole was not taken. */
  refusal: string | undefined
}

export function reportPage(shop: Shop, { draft, refusal }: ReportPage): Html {
  const { speech } = shop
  const { say } = speech
  return storePage(
    shop,
    { title: `${say('reportStore')} · ${shop.name}`, path: null },
    html`<article class="wide narrow"><h1>${say('reportStore')}</h1>
${notice(refusal)}
<p>${say('reportText', { store: shop.name })}</p>
<section class="card pad" aria-label="${say('reportStore')}">
<form method="post" action="/report">
${typeField(speech, draft)}
${field(speech, { name: 'reason', label: say('whatHappened'), kind: 'long', draft, maxLength: 2048, help: say('whatHappenedHelp') })}
${field(speech, { name: 'emailAddress', label: say('reportEmail'), subject: say('emailAddress'), kind: 'email', draft, isRequired: false, maxLength: 254, autocomplete: 'email', help: say('reportEmailHelp') })}
<button class="button primary">${say('sendReport')}</button></form></section>
<p class="help">${say('reportElse')} <a href="/contact">${say('contact')}</a></p>
</article>`,
  )
}

export function reportSentPage(shop: Shop): Html {
  const { say } = shop.speech
  return storePage(
    shop,
    { title: `${say('reportSent')} · ${shop.name}`, path: null },
    html`<div class="wide narrow"><div class="empty card"><h1>${say('reportSent')}</h1>
<p>${say('reportSentText')}</p>
<p><a class="button" href="/">${say('seeProducts')}</a></p></div></div>`,
  )
}

function typeField(speech: Speech, { values, reasons }: Draft): Html {
  const { say } = speech
  const reason = reasons['type']
  const chosen = values['type'] ?? ''
  return html`<div class="field"><label for="field-type">${say('reportAbout')}</label>
<select id="field-type" name="type" required ${reason && html`aria-invalid="true" aria-describedby="field-type-reason"`}>
<option value="">${say('pleaseChoose')}</option>
${reportTypes.map((type) => html`<option value="${type}" ${type === chosen && html`selected`}>${say(names[type])}</option>`)}
</select>
${reason && html`<p class="reason" id="field-type-reason">${reasonText(speech, say('reportAbout'), 'must be chosen')}</p>`}</div>`
}
