/** What the product says of one account and what the model does, in one shape, and whether they are the same. */
import { deepStrictEqual } from 'node:assert'
import type { Db } from '../../../../src/db/db.ts'
import { type Account, accounts, type Books } from './books.ts'
import { wentBack } from './rupees.ts'

/** A life takes seconds of real time, too. */
const toleranceDays = 0.01

interface State {
  /** The customer's part of each account of rupees. */
  readonly paise: Readonly<Record<Account, number>>
  /** Type, total, used, held, paid and earned, in the order in which the lots came to be. */
  readonly lots: readonly (readonly (string | number)[])[]
  /** By order: its payment, then of each row whether it was owned already, is charged, spent and withdrawn, and why its credit came back. */
  readonly orders: Readonly<Record<string, readonly unknown[]>>
  /** Sums of invoices and credit notes, and the tax within. */
  readonly documents: readonly number[]
  readonly isSuspended: boolean
}

const accountSums = `SELECT account.kind, sum(CASE WHEN moved.to_id = account.ledger_account_id THEN amount ELSE -amount END) AS paise
  FROM customer JOIN ledger.transfer AS moved ON moved.customer_id = customer.id
  JOIN ledger.account ON account.ledger_account_id IN (moved.from_id, moved.to_id) AND account.currency = 'paise' GROUP BY account.kind`
const rowStates = `SELECT item.order_id, payment_status, json_agg(json_build_array(already_owned, charge_id IS NOT NULL,
    charge_id IS NOT NULL AND (charge.kind = 'spend' OR settled_id IS NOT NULL), withdrawn_at IS NOT NULL, refund_reason) ORDER BY position) AS rows
  FROM orders.purchase JOIN orders.item USING (order_id) LEFT JOIN ledger.transfer AS charge ON charge.transfer_id = charge_id
  WHERE account_id = $1 GROUP BY item.order_id, payment_status`
const stateQuery = `WITH customer AS (SELECT ledger_account_id AS id FROM ledger.account WHERE owner_id = $1)
SELECT (SELECT json_object_agg(kind, paise) FROM (${accountSums}) AS summed) AS paise,
  (SELECT json_agg(json_build_array(type, total, used, held, paid, earned) ORDER BY lot_id)
   FROM ledger.lot JOIN customer ON customer.id = ledger_account_id) AS lots,
  (SELECT json_agg(extract(epoch FROM ends_at - now()) / 86400 ORDER BY lot_id)
   FROM ledger.lot JOIN customer ON customer.id = ledger_account_id) AS ends,
  (SELECT json_object_agg(order_id, json_build_array(payment_status, rows)) FROM (${rowStates}) AS told) AS orders,
  (SELECT json_build_array(coalesce(sum(total) FILTER (WHERE series = 'PI'), 0), coalesce(sum(total) FILTER (WHERE series = 'PC'), 0),
     coalesce(sum(cgst + sgst + igst) FILTER (WHERE series = 'PI'), 0), coalesce(sum(cgst + sgst + igst) FILTER (WHERE series = 'PC'), 0))
   FROM orders.invoice WHERE account_id = $1) AS documents,
  (SELECT suspended_at IS NOT NULL FROM access.account WHERE account_id = $1) AS "isSuspended"`

/** @throws where the product says otherwise. */
export async function compare(books: Books, db: Db, accountId: string): Promise<void> {
  const [told] = await db.query<Partial<State> & { ends: (number | null)[] | null }>(stateQuery, [accountId])
  const { ends, ...state } = told ?? { ends: null }
  const paise = Object.fromEntries(accounts.map((account) => [account, state.paise?.[account] ?? 0]))
  deepStrictEqual({ ...state, paise, lots: state.lots ?? [], orders: state.orders ?? {} }, stateOf(books))
  for (const [at, end] of (ends ?? []).entries()) {
    const wanted = (books.lots[at]?.end ?? 0) - books.now
    if (end === null ? wanted !== Infinity : !(Math.abs(end - wanted) < toleranceDays))
      throw new Error(`lot ${at} ends in ${end} days, and should in ${wanted}`)
  }
}

const paymentState = {
  pending: 'pending',
  paid: 'paid',
  cancelled: 'cancelled',
  expired: 'cancelled',
  refunded: 'refunded',
}

function stateOf(books: Books): State {
  const taken = books.payments.filter(({ isTaken }) => isTaken)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  const taxes = taken.map(({ paise }) => 2 * Math.round((paise * 18) / 236))
  return {
    paise: books.paise,
    lots: books.lots.map(({ type, total, used, held, paid, earned }) => [type, total, used, held, paid, earned]),
    orders: Object.fromEntries(
      books.orders.map(({ id, state, rows }) => [
        id,
        [
          paymentState[state],
          rows.map(({ owned, charge, isSettled, isWithdrawn, refunded }) => [
            ...[owned, charge !== null, charge !== null && (!charge.isHold || isSettled), isWithdrawn, refunded],
          ]),
        ],
      ]),
    ),
    documents: [
      sum(taken.map(({ paise }) => paise)),
      sum(taken.map((payment) => Math.min(wentBack(payment), payment.paise))),
      sum(taxes),
      sum(taken.flatMap(({ backs }) => backs.map(({ tax }) => tax))),
    ],
    isSuspended: books.isSuspended,
  }
}
