import { type Html, html } from '../html.ts'
import type { Speech } from '../speech.ts'
import type { ShownTicket } from '../ticket.ts'
import { moment } from './moment.ts'

/** What was said, oldest first. `fileAt` is where a file of it can be had. */
export function conversation(speech: Speech, { entries }: ShownTicket, fileAt: (fileId: string) => string): Html {
  return html`<ul class="entries">${entries.map(
    (entry) =>
      html`<li class="${entry.isSellers ? 'theirs' : 'own'}"><p class="by">${
        entry.isSellers ? entry.name : speech.say('you')
      } · ${moment(speech, entry.dateCreated)}</p><p class="said">${entry.message}</p>${
        entry.files.length > 0 &&
        html`<ul class="enclosed">${entry.files.map(
          ({ id, friendlyName, bytes }) =>
            html`<li><a download href="${fileAt(id)}">${friendlyName}</a> <span class="quiet">${speech.size(bytes)}</span></li>`,
        )}</ul>`
      }</li>`,
  )}</ul>`
}
