import { type Html, html } from '../html.ts'
import { day, exactly } from '../words.ts'

/** The day, with the exact time for whoever looks closer. */
export function moment(at: string): Html {
  return html`<time datetime="${at}" title="${exactly(at)}">${day(at)}</time>`
}
