import { Type } from 'typebox'
import { Count, list, shape, Timestamp } from '../values.ts'
import { Order } from './order.ts'
import { ProductReference } from './product-reference.ts'
import { Visits } from './store.ts'

const change = (what: string) =>
  Type.Number({ description: `The change of ${what} against the time span before, in percent.` })

export const Analytics = shape('Analytics', "A store's figures of the last days.", {
  orderAnalytics: list(
    Type.Object(
      {
        date: Timestamp('The beginning of the day, in UTC.'),
        orders: Count('How many orders were paid.'),
      },
      { description: 'A day.' },
    ),
    'The paid orders of each day, days without any included.',
  ),
  revenue: Type.Number({ description: "What was paid, less refunds, in the store's currency." }),
  overallOrders: Count('How many orders were paid.'),
  customers: Count('How many customers paid their first order.'),
  visitors: list(Visits, 'The visits of each day.'),
  popularProducts: list(
    Type.Object(
      {
        product: ProductReference,
        cost: Type.Number({ description: 'The revenue of the product.' }),
      },
      { description: 'A product and its revenue.' },
    ),
    'The five products with the most revenue.',
  ),
  orders: list(Order, 'The ten newest orders; empty for a key without ViewOrders.'),
  overallVisitors: Count('How many visits there were.'),
  tickets: Count('How many tickets were opened.'),
  visitorsChange: change('visits'),
  customersChange: change('new customers'),
  revenueChange: change('revenue'),
  ordersChange: change('paid orders'),
})
export type Analytics = Type.Static<typeof Analytics>

const DayFigures = shape('DayFigures', 'The figures of a day.', {
  date: Timestamp('The beginning of the day, in UTC.'),
  revenue: Type.Number({ description: "What was paid, less refunds, in the store's currency." }),
  orders: Count('How many orders were paid.'),
  customers: Count('How many customers paid their first order.'),
  visits: Count('How many visits there were.'),
})
export type DayFigures = Type.Static<typeof DayFigures>

export const AnalyticsDays = shape('AnalyticsDays', "A store's figures day by day.", {
  currency: Type.String({ description: 'The ISO 4217 code of the currency of the revenue.' }),
  days: list(DayFigures, 'Every day of the time span, oldest first; of the first only what lies within it.'),
  daysBefore: list(DayFigures, 'As many whole days before, oldest first.'),
})
export type AnalyticsDays = Type.Static<typeof AnalyticsDays>

export const Attention = shape('Attention', 'What waits for the seller; 0 for what the caller may not see.', {
  undeliverableOrders: Count('Paid orders that could not be handed over.'),
  waitingOrders: Count('Paid orders that wait for items to be appended.'),
  disputedOrders: Count('Orders whose payment is disputed.'),
  openTickets: Count('Tickets that wait for an answer.'),
  emptyProducts: Count('Products on sale that are sold out.'),
  failingWebhooks: Count('Webhooks that were switched off or whose last try failed.'),
})
export type Attention = Type.Static<typeof Attention>
