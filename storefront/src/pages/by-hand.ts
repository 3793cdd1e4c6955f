import { type Html, html } from '../html.ts'
import { actionOf, type ShownOrder } from '../order.ts'
import { field, notice } from '../parts/field.ts'
import { type Draft, emptyDraft } from '../shop.ts'
import type { Speech } from '../speech.ts'

/** Whom to pay, how much and what to write with it; then the buyer says that it is done. */
export function byHand(speech: Speech, order: ShownOrder, draft: Draft | null): Html {
  const { say } = speech
  const { step, byHand: state } = order
  const due = speech.amount(order.cost - order.amountPaid, order.currency)
  const copied = (text: string) =>
    html`<code>${text}</code> <button class="button small" type="button" data-copy-text="${text}" data-copied="${say('copied')}" hidden>${say('copy')}</button>`
  return html`${notice(state?.rejection ? say('paymentNotFound', { reason: state.rejection }) : undefined)}
<dl class="hand">
<dt>${say('payTo')}</dt><dd>${copied(step?.payee ?? '')}</dd>
<dt>${say('amount')}</dt><dd><strong>${due}</strong></dd>
<dt>${say('writeInNote')}</dt><dd>${copied(step?.code ?? '')}</dd>
</dl>
${step?.isAsFriends && html`<p>${say('sendAsFriends')}</p>`}
${step?.words && html`<p class="said">${step.words}</p>`}
${proofs(speech, order)}
<form method="post" action="${actionOf(order, 'claim')}">
${field(speech, { name: 'note', label: say('noteForSeller'), draft: draft ?? emptyDraft, isRequired: false, maxLength: 500 })}
<p class="acts"><button class="button primary">${say('iPaid')}</button></p>
<p class="help">${say('iPaidHelp')}</p></form>`
}

/** The seller looks for the money; a proof may still help. */
export function claimed(speech: Speech, order: ShownOrder): Html {
  return html`<section class="card pad pay" aria-label="${speech.say('attachProof')}">${proofs(speech, order)}</section>`
}

function proofs({ say }: Speech, order: ShownOrder): Html {
  const attached = order.byHand?.proofs ?? []
  return html`${attached.length > 0 && html`<ul class="files">${attached.map((name) => html`<li><span>${name}</span></li>`)}</ul>`}
<form class="proof" method="post" enctype="multipart/form-data" action="${actionOf(order, 'proof')}">
<div class="field"><label for="proof">${say('attachProof')}</label><input id="proof" type="file" name="file" required accept="image/png,image/jpeg,image/webp,image/gif,application/pdf"></div>
<button class="button small">${say('attach')}</button></form>`
}
