import { type Html, html } from '../html.ts'
import { reasonText } from '../refusals.ts'
import type { Draft } from '../shop.ts'
import type { Speech } from '../speech.ts'

export interface FieldOptions {
  name: string
  label: string
  draft: Draft
  kind?: 'text' | 'email' | 'long'
  help?: string
  isRequired?: boolean
  maxLength?: number
  autocomplete?: string
  /** Tells it from a field of the same name in another form of the page. */
  form?: string
  /** What the reason's sentence is about; the label when left out. */
  subject?: string
}

/** A label above, help below, and what is wrong beside it. Nothing typed is lost. */
export function field(
  speech: Speech,
  {
    name,
    label,
    draft,
    kind = 'text',
    help,
    isRequired = true,
    maxLength,
    autocomplete,
    form = '',
    subject = label,
  }: FieldOptions,
): Html {
  const reason = draft.reasons[name]
  const value = draft.values[name] ?? ''
  const id = `field-${form}${name}`.replace(/[^a-zA-Z0-9]/g, '-')
  const described = [help && `${id}-help`, reason && `${id}-reason`].filter(Boolean).join(' ')
  const attributes = html`id="${id}" name="${name}" ${isRequired && html`required`} ${
    maxLength !== undefined && html`maxlength="${maxLength}"`
  } ${described !== '' && html`aria-describedby="${described}"`} ${reason && html`aria-invalid="true"`} ${
    autocomplete && html`autocomplete="${autocomplete}"`
  }`
  const control =
    kind === 'long'
      ? html`<textarea ${attributes} rows="4">
${value}</textarea>`
      : html`<input type="${kind}" ${attributes} value="${value}">`
  return html`<div class="field"><label for="${id}">${label}</label>${control}
${help && html`<p class="help" id="${id}-help">${help}</p>`}
${reason && html`<p class="reason" id="${id}-reason">${reasonText(speech, subject, reason)}</p>`}</div>`
}

/** A reason that belongs to no field, or to one that is not shown. */
export function notice(text: string | undefined, mood: 'bad' | 'good' = 'bad'): Html | false {
  return (
    text !== undefined &&
    text !== '' &&
    html`<p class="notice ${mood}" role="${mood === 'bad' ? 'alert' : 'status'}">${text}</p>`
  )
}
