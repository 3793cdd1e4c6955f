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
