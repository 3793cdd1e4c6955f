import type { Scope } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { changeOf, daysOf, midnightOf, type Window } from '#analytics/window'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import {
  type DayFigures,
  type Figures,
  selectEarners,
  selectFigures,
  selectNewestOrders,
  selectVisitsAndTickets,
  type Visits,
} from './analytics-figures.ts'
import { presentOrders } from './order.ts'
import { everProductDetails } from './product.ts'
import { toReference } from './product-reference.ts'
import { briefly, type Means, selectPublicStore } from './public-store.ts'

const popularProductsMax = 5
const newestOrdersMax = 10

export async function selectAnalytics(
  db: Db,
  means: Means,
  { store, rights }: { store: StoreRow; rights: ReadonlySet<Scope> },
  window: Window,
) {
  // What takes longest is asked first.
  const [popularProducts, figures, { visitors, visitsBefore, tickets }, orders] = await Promise.all([
    selectPopularProducts(db, means, store, window),
    selectFigures(db, store, window),
    selectVisitsAndTickets(db, store, window),
    rights.has('ViewOrders') ? presentNewestOrders(db, means, { store, rights }, window) : [],
  ])
  const now = sum([figures.part, ...figures.days.filter(({ day }) => day > window.firstDay)])
  const before = figuresBefore(figures, window)
  return {
    orderAnalytics: ordersByDay(figures, window),
    revenue: fromMinor(now.revenueMinor, store.preferredCurrency),
    overallOrders: now.orders,
    customers: now.customers,
    ...visitsOf(visitors, visitsBefore),
    tickets,
    popularProducts,
    orders,
    customersChange: changeOf(now.customers, before.customers),
    revenueChange: changeOf(now.revenueMinor, before.revenueMinor),
    ordersChange: changeOf(now.orders, before.orders),
  }
}

async function presentNewestOrders(
  db: Db,
  means: Means,
  seller: { store: StoreRow; rights: ReadonlySet<Scope> },
  window: Window,
) {
  return presentOrders(db, means, seller, await selectNewestOrders(db, seller.store, window, newestOrdersMax))
}

interface FiguresRead {
  days: DayFigures[]
  /** Of the day on which the window begins: what lies within it. */
  part: Figures
  /** The same of the window before. */
  partBefore: Figures
}

/** The window before ends within the day on which this one begins. */
function figuresBefore({ days, part, partBefore }: FiguresRead, { firstDay, before }: Window): Figures {
  const whole = sum([partBefore, ...days.filter(({ day }) => day > before.firstDay && day <= firstDay)])
  return {
    orders: whole.orders - part.orders,
    revenueMinor: whole.revenueMinor - part.revenueMinor,
    customers: whole.customers - part.customers,
  }
}

function ordersByDay({ days, part }: FiguresRead, window: Window) {
  const orders = new Map(days.map((each) => [each.day, each.orders]))
  return daysOf(window).map((day) => ({
    date: midnightOf(day),
    orders: day === window.firstDay ? part.orders : (orders.get(day) ?? 0),
  }))
}

function sum(figures: readonly Figures[]): Figures {
  return figures.reduce(
    (total, each) => ({
      orders: total.orders + each.orders,
      revenueMinor: total.revenueMinor + each.revenueMinor,
      customers: total.customers + each.customers,
    }),
    { orders: 0, revenueMinor: 0, customers: 0 },
  )
}

function visitsOf(days: readonly Visits[], before: number) {
  const total = days.reduce((sum, { visits }) => sum + visits, 0)
  return {
    visitors: days.map(({ id, day, visits }) => ({ id, dateCreated: midnightOf(day), visits })),
    overallVisitors: total,
    visitorsChange: changeOf(total, before),
  }
}

async function selectPopularProducts(db: Db, means: Means, store: StoreRow, window: Window) {
  const [earners, nested] = await Promise.all([
    selectEarners(db, store, window, popularProductsMax),
    selectPublicStore(db, means, store),
  ])
  if (earners.length === 0) return []
  const ids = earners.map(({ productId }) => productId)
  const rows = await everProductDetails(db, sql`${store.id}`)
    .where('products.id', '=', sql<string>`any(${ids})`)
    .execute()
  const products = new Map(rows.map((row) => [row.id, toReference(row, store, briefly(nested), 'seller')]))
  return earners.flatMap(({ productId, revenueMinor }) => {
    const product = products.get(productId)
    return product ? [{ product, cost: fromMinor(revenueMinor, store.preferredCurrency) }] : []
  })
}
