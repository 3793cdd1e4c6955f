import { type ChosenColours, isPlain, paletteCss } from '@keystall/storefront/palette'
import { propertyNames } from '@keystall/storefront/shapes'
import type { FastifyInstance } from 'fastify'
import type { StoreRow } from '#stores/tables'
import { chosenColours } from './shop.ts'
import { queryText } from './visit.ts'

const path = '/preview/theme.css'

/** On the dashboard's host: a preview's colours, whose policy takes styles from addresses alone. */
export function servePreviewTheme(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    config: { route: path },
    handler: async (request, reply) => {
      const colour = (name: string) => queryText(request, name) || null
      const chosen: ChosenColours = {
        accent: colour('accent'),
        background: colour('background'),
        card: colour('card'),
        navigation: colour('navigation'),
        button: colour('button'),
        isForcingDark: queryText(request, 'dark') !== '',
        properties: Object.fromEntries(propertyNames.map((name) => [name, queryText(request, name)])),
      }
      return reply
        .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' })
        .send(paletteCss(chosen))
    },
  })
}

export function previewThemeAddress(store: StoreRow): string | null {
  const chosen = chosenColours(store)
  if (isPlain(chosen)) return null
  const { isForcingDark, properties, ...colours } = chosen
  const query = new URLSearchParams(isForcingDark ? { dark: '1' } : {})
  for (const [name, colour] of Object.entries(colours)) if (colour !== null) query.set(name, colour)
  for (const name of propertyNames) if (Object.hasOwn(properties, name)) query.set(name, properties[name] ?? '')
  return `${path}?${query}`
}
