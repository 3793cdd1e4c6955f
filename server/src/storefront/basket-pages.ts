import type { Html } from '@keystall/storefront/html'
import { basketPage } from '@keystall/storefront/pages/basket'
import type { FastifyReply } from 'fastify'
import { isUuid } from '#platform/db/ids'
import { notFound, Problem } from '#problem'
import { type BasketLine, keepBasket, lineOf, merged, readBasket } from './basket.ts'
import { type BasketForm, fieldOf, noForm, openBasket, selectWanted } from './basket-view.ts'
import { formOf, refuseForeignOrigin, textOf } from './form.ts'
import { forgetMarket } from './market-visit.ts'
import { placeOnce } from './placing.ts'
import { sendPage } from './sending.ts'
import { shopOf } from './shop.ts'
import { selectReachable } from './tiles.ts'
import { parameter, type StoreVisit } from './visit.ts'

const untroubled = { reasons: {}, message: undefined }

export async function showBasket(visit: StoreVisit): Promise<Html> {
  const form = { ...noForm, lines: readBasket(visit.request) }
  const [shop, basket] = await Promise.all([shopOf(visit), openBasket(visit, form, untroubled)])
  return basketPage(shop, basket)
}

export async function addToBasket({ platform, store, request, reply }: StoreVisit): Promise<FastifyReply> {
  refuseForeignOrigin(request, platform.config)
  const form = formOf(request)
  const productId = form.get('productId') ?? ''
  const [row] = isUuid(productId) ? await selectReachable(platform.db, store, [productId]) : []
  if (!row) throw notFound('product')
  const added = lineOf(productId, form.get('quantity') ?? '')
  const present = readBasket(request)
  const isThere = present.some((line) => line.productId === productId)
  const then = form.get('then')
  // Whoever buys now, with the product in the basket already, means that many and not that many more.
  const kept = then === 'basket' && isThere ? present.filter((line) => line.productId !== productId) : present
  keepBasket(
    reply,
    merged([...kept, ...(added.length > 0 ? added : lineOf(productId, String(row.minimumQuantity)))]),
    platform.config,
  )
  return reply.redirect(then === 'stay' ? `/product/${productId}?added=1` : '/basket', 303)
}

/** The checkout of one product, for a frame on another site: no cookie is read or set. */
export async function showEmbedded(visit: StoreVisit): Promise<FastifyReply> {
  const row = await loadEmbedded(visit)
  const lines = [{ productId: row.id, quantity: row.minimumQuantity }]
  return sendBasket(visit, { ...noForm, lines }, untroubled, { embeddedId: row.id })
}

export async function changeEmbedded(visit: StoreVisit): Promise<FastifyReply> {
  const { id } = await loadEmbedded(visit)
  return change(visit, id)
}

async function loadEmbedded({ platform, store, request }: StoreVisit) {
  const id = parameter(request, 'productId')
  const [row] = isUuid(id) ? await selectReachable(platform.db, store, [id]) : []
  if (!row) throw notFound('product')
  return row
}

export function changeBasket(visit: StoreVisit): Promise<FastifyReply> {
  return change(visit, null)
}

/** Every button of the basket's form: what was typed stays, whichever is pressed. */
async function change(visit: StoreVisit, embeddedId: string | null): Promise<FastifyReply> {
  const { platform, request, reply } = visit
  refuseForeignOrigin(request, platform.config)
  const sent = formOf(request)
  const [act = '', removedId] = (sent.get('act') ?? '').split(' ')
  const lines = linesOf(sent).filter(({ productId }) =>
    embeddedId === null ? act !== 'remove' || productId !== removedId : productId === embeddedId,
  )
  const wanted = await selectWanted(visit, lines)
  const keys = new Set(wanted.flatMap(({ row }) => row.customValueKeys))
  const form = readForm(
    sent,
    wanted.map(({ productId, quantity }) => ({ productId, quantity })),
    keys,
  )
  if (embeddedId === null) keepBasket(reply, form.lines, platform.config)
  if (act !== 'order' || form.lines.length === 0) return sendBasket(visit, form, untroubled, { embeddedId })
  if (form.gateway === '')
    return sendBasket(
      visit,
      form,
      { reasons: { gateway: 'must be chosen' }, message: undefined },
      { embeddedId, status: 400 },
    )
  try {
    const { id, key } = await placeOnce(visit, form)
    if (embeddedId === null) keepBasket(reply.removeHeader('set-cookie'), [], platform.config)
    forgetMarket(request, reply, platform.config)
    reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
    return reply.redirect(`/checkout/${id}?key=${encodeURIComponent(key)}`, 303)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, fields, message } = error
    if (code === 'ValidationError')
      return sendBasket(
        visit,
        form,
        { reasons: { ...fields, ...unanswered(form) }, message: elsewhere(fields) },
        { embeddedId, status: 400 },
      )
    if (code === 'InternalServerError') throw error
    return sendBasket(visit, form, { reasons: {}, message }, { embeddedId, status: 409 })
  }
}

async function sendBasket(
  visit: StoreVisit,
  form: BasketForm,
  refused: Parameters<typeof openBasket>[2],
  { embeddedId, status = 200 }: { embeddedId: string | null; status?: number },
): Promise<FastifyReply> {
  const { platform, request, reply } = visit
  const [shop, basket] = await Promise.all([shopOf(visit), openBasket(visit, form, refused)])
  const basketCount = form.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const page = basketPage({ ...shop, basketCount }, { ...basket, embeddedId })
  return sendPage({ request, reply, config: platform.config }, page, { status, isFramable: embeddedId !== null })
}

/** Each product's hidden id stands before its quantity, so the two lists run side by side. */
function linesOf(sent: URLSearchParams): BasketLine[] {
  const quantities = sent.getAll('quantity')
  return merged(sent.getAll('productId').flatMap((id, place) => lineOf(id, quantities[place] ?? '')))
}

function readForm(sent: URLSearchParams, lines: BasketLine[], keys: ReadonlySet<string>): BasketForm {
  const formKey = sent.get('formKey') ?? ''
  const shown = [...sent].filter(([name]) => name.startsWith('shown '))
  return {
    lines,
    gateway: sent.get('gateway') ?? '',
    couponCode: textOf(sent, 'couponCode').trim(),
    emailAddress: textOf(sent, 'emailAddress'),
    customValues: new Map([...keys].map((key) => [key, textOf(sent, fieldOf(key))])),
    formKey: isUuid(formKey) ? formKey : '',
    shownTotals: new Map(shown.map(([name, total]) => [name.slice('shown '.length), total])),
  }
}

/** Fields that were left empty are all named at once, whichever the rule met first. */
function unanswered({ emailAddress, customValues }: BasketForm): Record<string, string> {
  const isAllAnswered = [...customValues.values()].every((value) => value !== '')
  return {
    ...(emailAddress.trim() === '' ? { emailAddress: 'is needed' } : {}),
    ...(isAllAnswered ? {} : { customValues: 'must all be answered' }),
  }
}

/** Reasons that no field of the page would show. */
function elsewhere(fields: Readonly<Record<string, string>>): string | undefined {
  const shown = /^(items\.\d+\.(quantity|productId)|emailAddress|couponCode|gateway|customValues.*|items)$/
  const [other] = Object.entries(fields).filter(([name]) => !shown.test(name))
  return other && `${other[0]} ${other[1]}`
}
