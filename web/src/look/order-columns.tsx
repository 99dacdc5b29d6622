/** The columns of a list of orders, for buyers and for operators. */
import { Link } from 'wouter'
import type { Column } from './column.ts'
import { count, counted } from './numbers.ts'
import { type OrderLike, OrderState } from './order-state.tsx'
import { type Priced, priced } from './priced.ts'

interface ListedOrder extends OrderLike, Priced {
  readonly _id: string
  readonly orderName: string
  readonly created_at: string
  readonly items_count: number
  /** In credits, however it was paid. */
  readonly refunded_amount: number
}

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
