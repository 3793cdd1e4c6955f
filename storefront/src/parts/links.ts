import { type Html, html } from '../html.ts'
import type { SocialLink } from '../shop.ts'
import type { Speech } from '../speech.ts'

export function linkList({ say }: Speech, links: readonly SocialLink[]): Html | false {
  return (
    links.length > 0 &&
    html`<ul class="links">${links.map(
      ({ network, text, href }) =>
        html`<li><span class="by">${say(network)}</span> ${
          href === null ? text : html`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${text}</a>`
        }</li>`,
    )}</ul>`
  )
}
