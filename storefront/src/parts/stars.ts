import { type Html, html } from '../html.ts'
import type { Speech } from '../speech.ts'

const whole = 5

/** Five stars, filled as far as the rating goes; read aloud as one sentence. */
export function stars({ say }: Speech, rating: number): Html {
  const filled = Math.round(rating)
  return html`<span class="stars" role="img" aria-label="${say('starsOfFive', { rating })}"><span class="full">${'★'.repeat(
    filled,
  )}</span><span class="hollow">${'★'.repeat(whole - filled)}</span></span>`
}
