import { type Html, html } from '../html.ts'
import type { Speech } from '../speech.ts'

/** The day, with the exact time for whoever looks closer. */
export function moment({ day, exactly }: Speech, at: string): Html {
  return html`<time datetime="${at}" title="${exactly(at)}">${day(at)}</time>`
}
