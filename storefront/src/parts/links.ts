import { type Html, html } from '../html.ts'
import type { SocialLink } from '../shop.ts'

export function linkList(links: readonly SocialLink[]): Html | false {
  return (
    links.length > 0 &&
    html`<ul class="links">${links.map(
      ({ label, text, href }) =>
        html`<li><span class="by">${label}</span> ${
          href === null ? text : html`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${text}</a>`
        }</li>`,
    )}</ul>`
  )
}
