import { type Html, html } from '../html.ts'

const whole = 5

/** Five stars, filled as far as the rating goes; read aloud as one sentence. */
export function stars(rating: number): Html {
  const filled = Math.round(rating)
  return html`<span class="stars" role="img" aria-label="${rating} of 5 stars"><span class="full">${'★'.repeat(
    filled,
  )}</span><span class="hollow">${'★'.repeat(whole - filled)}</span></span>`
}
