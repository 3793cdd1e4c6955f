import { type Html, html } from '../html.ts'

/** A product's picture, or its first letter when it has none. The name stands beside it, so it says nothing itself. */
export function picture(
  imageName: string | null,
  name: string,
  { sizes = '(max-width: 640px) 50vw, 300px', isFirst = false } = {},
): Html {
  if (imageName === null) {
    const [letter = ''] = [...name.trim()]
    return html`<span class="picture blank" aria-hidden="true">${letter.toUpperCase()}</span>`
  }
  const at = (width: number) => `/images/${imageName}?width=${width}`
  return html`<img class="picture" src="${at(480)}" srcset="${at(160)} 160w, ${at(480)} 480w, ${at(960)} 960w" sizes="${sizes}" width="480" height="360" alt="" ${
    isFirst ? html`fetchpriority="high"` : html`loading="lazy"`
  } decoding="async">`
}
