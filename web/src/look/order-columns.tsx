/** The columns of a list of orders, for buyers and for operators. */

import { Link } from 'wouter'
import type { components } from '../../../client/api-types.ts'
import type { Column } from './column.ts'
import { count, counted } from './numbers.ts'
import { OrderState } from './order-state.tsx'
import { priced } from './priced.ts'

type ListedOrder = components['schemas']['OrderSummary']

/** @param whose a column after the name. */
export function orderColumns<Order extends ListedOrder>(...whose: readonly Column<Order>[]): readonly Column<Order>[] {
  return [
    {
      head: 'Order',
      sortedAs: 'name',
      cell: ({ _id, orderName }) => <Link href={`/orders/${_id}`}>{orderName}</Link>,
    },
    ...whose,
    { head: 'State', sortedAs: 'status', cell: (order) => <OrderState order={order} /> },
    { head: 'Placed', sortedAs: 'created_at', at: ({ created_at }) => created_at },
    { head: 'Records', sortedAs: 'items_count', cell: ({ items_count }) => count(items_count), number: true },
    { head: 'Price', sortedAs: 'total_amount', cell: priced, number: true },
    { head: 'Refunded', cell: ({ refunded_amount }) => counted(refunded_amount, 'credit'), number: true },
  ]
}
