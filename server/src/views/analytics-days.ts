import { dayAfter, daysOf, midnightOf, type Window } from '#analytics/window'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import { type Figures, selectFigures, selectVisits } from './analytics-figures.ts'

const none: Figures = { orders: 0, revenueMinor: 0, customers: 0 }

/** The figures of each day, for a line and the line before it. */
export async function selectAnalyticsDays(db: Db, store: StoreRow, window: Window) {
  const days = daysOf(window)
  const firstBefore = dayAfter(window.firstDay, -days.length)
  const before = daysOf({ firstDay: firstBefore, today: dayAfter(window.firstDay, -1) })
  const reach = { ...window, before: { from: midnightOf(firstBefore), firstDay: firstBefore } }
  const [figures, visits] = await Promise.all([
    selectFigures(db, store, reach),
    selectVisits(db, store, { firstDay: firstBefore, today: window.today }),
  ])
  const byDay = new Map(figures.days.map((each) => [each.day, each]))
  const visitsByDay = new Map(visits.map((each) => [each.day, each.visits]))
  const shown = (day: string, { orders, revenueMinor, customers }: Figures) => ({
    date: midnightOf(day),
    revenue: fromMinor(revenueMinor, store.preferredCurrency),
    orders,
    customers,
    visits: visitsByDay.get(day) ?? 0,
  })
  return {
    currency: store.preferredCurrency,
    days: days.map((day) => shown(day, day === window.firstDay ? figures.part : (byDay.get(day) ?? none))),
    daysBefore: before.map((day) => shown(day, byDay.get(day) ?? none)),
  }
}
