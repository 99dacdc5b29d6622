/**
 * Money in the ledger: books credits together with the money paid for them, and reverses both together, each as one
 * set of transfers that sums to zero in credits and in paise. A set is written once per reference; the caller's
 * transaction commits or undoes it whole.
 */
import type { Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type Cause, type CreditType, type Grant, grantCredits, revokeFromLots } from './ledger.ts'

export interface Sale extends Cause {
  readonly credits: number
  /** Default: purchased. */
  readonly type?: CreditType
  readonly endsAt?: Date | null
  /** Reference of the payment, `payment:<processor>:<id>`; the set's transfers add their own suffixes. */
  readonly reference: string
  /** Paise, without tax. */
  readonly net: number
  /** Paise. */
  readonly tax?: number
  /** Paise that the processor keeps, and the tax within them. */
  readonly fee?: number
  readonly feeTax?: number
}

/** @throws AppError CONFLICT for a reference that another movement used; the caller rolls back. */
export async function sellCredits(tx: Tx, accountId: string, sale: Sale): Promise<Grant> {
  const { credits, type = 'purchased', endsAt = null, reference, net, tax = 0, fee = 0, feeTax = 0, ...cause } = sale
  const grant = await grantCredits(tx, accountId, credits, reference, { type, endsAt, ...cause })
  const parts = { net, tax, fee, feeTax }
  await bookMoney(tx, accountId, { ...cause, reference, ...parts, lotId: grant.lotId, setId: grant.transferId })
  return grant
}

export interface Money extends Cause {
  readonly reference: string
  /** Paise, as in `Sale`. */
  readonly net: number
  readonly tax: number
  readonly fee: number
  readonly feeTax: number
  /** The lot that the money paid for. */
  readonly lotId: number
  /** The grant booked with it, if any. */
  readonly setId: number | null
}

/** Books the net amount, tax, processor's fee and the fee's tax of a sale, in the set of its grant if there is one. */
export async function bookMoney(tx: Tx, accountId: string, money: Money): Promise<void> {
  const { reference, net, tax, fee, feeTax, ...rest } = money
  const post = poster(tx, accountId, rest)
  await post('payment', `${reference}:net`, net)
  await post('tax', `${reference}:tax`, tax)
  await post('fee', `${reference}:fee`, fee - feeTax)
  await post('fee_tax', `${reference}:fee_tax`, feeTax)
}

export interface MoneyBack extends Cause {
  /** Reference of the sale. */
  readonly sale: string
  /** Reference of the processor's refund: `repayment:<processor>:<id>`. */
  readonly reference: string
  /** Paise given back, without tax. */
  readonly net: number
  /** Paise of tax given back. */
  readonly tax?: number
  /** A chargeback: what was earned of the sale stays earned, and the buyer owes it. */
  readonly isChargeback?: boolean
}

/**
 * Books money of a sale that is given back: first from what is still owed in credits or time, the rest from what was
 * earned. The caller takes the credits or time back before.
 * @throws AppError NOT_FOUND for a sale that the account does not have. The database rejects more money than was
 * paid.
 */
export async function takeBackMoney(tx: Tx, accountId: string, back: MoneyBack): Promise<void> {
  const { sale, reference, net, tax = 0, isChargeback = false, ...cause } = back
  const parts = await tx.query<{ reference: string; id: number; lotId: number; setId: number | null }>(
    `SELECT reference, transfer_id AS id, lot_id AS "lotId", set_id AS "setId"
     FROM ledger.transfer JOIN ledger.account ON account.ledger_account_id = customer_id
     WHERE owner_id = $1 AND reference = ANY ($2)`,
    [accountId, [`${sale}:net`, `${sale}:tax`]],
  )
  const part = (name: string) => parts.find((each) => each.reference === `${sale}${name}`)
  const [paid, taxed] = [part(':net'), part(':tax')]
  if (!paid) throw saleNotFound(sale)
  const post = poster(tx, accountId, { ...cause, lotId: paid.lotId, setId: paid.setId })
  const [held] = await tx.query<{ paise: number }>('SELECT ledger.hold_unearned($1) AS paise', [paid.lotId])
  const unearned = Math.min(net, held?.paise ?? 0)
  await post('repay', `${reference}:net`, net, paid.id)
  if (taxed) await post('repay_tax', `${reference}:tax`, tax, taxed.id)
  await post('unsell', `${reference}:unsold`, unearned, paid.id)
  if (isChargeback) await post('owe', `${reference}:owed`, net - unearned, paid.id)
  else {
    const lapsed = Math.min(net - unearned, await readLapsed(tx, paid.lotId))
    await post('unlapse', `${reference}:unlapsed`, lapsed, paid.id)
    await post('unearn', `${reference}:unearned`, net - unearned - lapsed, paid.id)
  }
}

/**
 * Paise of a lot that were earned because its credits lapsed; a refund uses these before the revenue from spent
 * credits.
 */
async function readLapsed(tx: Tx, lotId: number): Promise<number> {
  const [row] = await tx.query<{ lapsed: number }>(
    `SELECT coalesce(sum(CASE kind WHEN 'lapse' THEN amount ELSE -amount END), 0)::bigint AS lapsed
     FROM ledger.transfer WHERE lot_id = $1 AND kind IN ('lapse', 'unlapse')`,
    [lotId],
  )
  return row?.lapsed ?? 0
}

export interface Return extends MoneyBack {
  /** Number of sold credits to revoke; fewer if fewer are left. */
  readonly credits: number
  /** Further lots to take them from: of other payments for the same order. */
  readonly lots?: readonly number[]
}

/** Reverses a sale of credits in full or in part: its remaining credits, and the money. @throws as `takeBackMoney` */
export async function takeBackSale(tx: Tx, accountId: string, back: Return): Promise<void> {
  const { credits, lots = [], ...money } = back
  const { sale, reference, actor, memo } = money
  const [sold] = await tx.query<{ lotId: number }>(
    `SELECT lot_id AS "lotId" FROM ledger.transfer JOIN ledger.account ON account.ledger_account_id = customer_id
     WHERE owner_id = $1 AND reference = $2 AND transfer.kind = 'grant'`,
    [accountId, sale],
  )
  if (!sold) throw saleNotFound(sale)
  const cause = { ...(actor && { actor }), ...(memo && { memo }) }
  await revokeFromLots(tx, accountId, { lots: [sold.lotId, ...lots], credits, reference }, cause)
  await takeBackMoney(tx, accountId, money)
}

/** Books money that went back beyond what the payment brought; the recipient owes it. */
export async function bookOverpaid(
  tx: Tx,
  accountId: string,
  { reference, paise, memo }: { readonly reference: string; readonly paise: number; readonly memo: string },
): Promise<void> {
  await poster(tx, accountId, { memo, lotId: null, setId: null })('overpay', `${reference}:over`, paise)
}

/** Books a money movement of a customer that belongs to no sale. @throws AppError CONFLICT for a reference in use. */
export async function postMoney(
  tx: Tx,
  accountId: string,
  {
    kind,
    reference,
    paise,
    ...cause
  }: Cause & { readonly kind: string; readonly reference: string; readonly paise: number },
): Promise<void> {
  await poster(tx, accountId, { ...cause, lotId: null, setId: null })(kind, reference, paise)
}

const saleNotFound = (sale: string) => new AppError('NOT_FOUND', `There is no sale ${sale} of this account.`)

/** Posts one movement of paise, or nothing for an amount of zero. */
function poster(
  tx: Tx,
  accountId: string,
  set: Cause & { readonly lotId: number | null; readonly setId: number | null },
) {
  const { lotId, setId, actor = 'system', memo } = set
  return async (kind: string, reference: string, paise: number, reverses: number | null = null): Promise<void> => {
    if (paise === 0) return
    const rows = await tx.query('SELECT transfer_id FROM ledger.post_money($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      kind,
      accountId,
      paise,
      lotId,
      reverses,
      setId,
      reference,
      actor,
      memo ?? null,
    ])
    if (rows.length === 0) {
      throw new AppError('CONFLICT', `The reference ${reference} is already used by another movement.`)
    }
  }
}
