/**
 * Rupees beside credits: credits that are sold go in with the money that was paid for them, or taken back with the money
 * that is given back, each as one set of transfers that sums to zero in credits and in paise. Under one reference a set
 * is written once; the caller's transaction makes it whole or undoes it.
 */
import type { Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type Cause, type CreditType, type Grant, grantCredits, revokeCredits } from './ledger.ts'

export interface Sale extends Cause {
  readonly credits: number
  /** Default: purchased. */
  readonly type?: CreditType
  readonly endsAt?: Date | null
  /** Of the payment, `payment:<processor>:<id>`; the parts of the set carry it with their own names. */
  readonly reference: string
  /** Paise, without tax. */
  readonly net: number
  /** Paise. */
  readonly tax?: number
  /** Paise that the processor keeps. */
  readonly fee?: number
}

/** @throws AppError CONFLICT for a reference that another movement used; the caller rolls back. */
export async function sellCredits(tx: Tx, accountId: string, sale: Sale): Promise<Grant> {
  const { credits, type = 'purchased', endsAt = null, reference, net, tax = 0, fee = 0, ...cause } = sale
  const grant = await grantCredits(tx, accountId, credits, reference, { type, endsAt, ...cause })
  await bookMoney(tx, accountId, { ...cause, reference, net, tax, fee, lotId: grant.lotId, setId: grant.transferId })
  return grant
}

export interface Money extends Cause {
  readonly reference: string
  /** Paise, as in `Sale`. */
  readonly net: number
  readonly tax: number
  readonly fee: number
  /** What the money is for. */
  readonly lotId: number
  /** The grant that came with it, where there is one. */
  readonly setId: number | null
}

/** The money of a sale, its tax and the processor's fee; in its set where something was granted with it. */
export async function bookMoney(tx: Tx, accountId: string, money: Money): Promise<void> {
  const { reference, net, tax, fee, ...rest } = money
  const post = poster(tx, accountId, rest)
  await post('payment', `${reference}:net`, net)
  await post('tax', `${reference}:tax`, tax)
  await post('fee', `${reference}:fee`, fee)
}

/**
 * Gives money back that was paid for time: what of it was not earned yet leaves what is owed, the rest is a loss.
 * @throws AppError NOT_FOUND for a sale that the account does not have.
 */
export async function takeBackMoney(tx: Tx, accountId: string, back: Omit<Return, 'credits'>): Promise<void> {
  const { sale, reference, net, tax = 0, ...cause } = back
  const parts = await tx.query<{ reference: string; id: number; lotId: number; setId: number | null; left: number }>(
    `SELECT reference, transfer_id AS id, lot_id AS "lotId", set_id AS "setId", lot.paid - lot.earned AS left
     FROM ledger.transfer JOIN ledger.lot USING (lot_id) JOIN ledger.account ON account.ledger_account_id = customer_id
     WHERE owner_id = $1 AND reference = ANY ($2)`,
    [accountId, [`${sale}:net`, `${sale}:tax`]],
  )
  const part = (name: string) => parts.find((each) => each.reference === `${sale}${name}`)
  const [paid, taxed] = [part(':net'), part(':tax')]
  if (!paid) throw new AppError('NOT_FOUND', `There is no sale ${sale} of this account.`)
  const post = poster(tx, accountId, { ...cause, lotId: paid.lotId, setId: paid.setId })
  await post('repay', `${reference}:net`, net, paid.id)
  if (taxed) await post('repay_tax', `${reference}:tax`, tax, taxed.id)
  await post('unsell', `${reference}:unsold`, Math.min(net, paid.left), paid.id)
}

export interface Return extends Cause {
  /** Of the sale. */
  readonly sale: string
  /** Of the processor's refund: `repayment:<processor>:<id>`. */
  readonly reference: string
  /** Taken back of those that were sold; 0 where the buyer keeps them. */
  readonly credits: number
  /** Paise given back, without tax. */
  readonly net: number
  /** Paise of tax given back. */
  readonly tax?: number
}

/**
 * @throws AppError NOT_FOUND for a sale that the account does not have, INSUFFICIENT_CREDITS where they are spent;
 * the caller rolls back. The database refuses more money than came.
 */
export async function takeBackSale(tx: Tx, accountId: string, back: Return): Promise<void> {
  const { sale, reference, credits, net, tax = 0, ...cause } = back
  const parts = await tx.query<{ reference: string; id: number; lotId: number; type: CreditType }>(
    `SELECT reference, transfer_id AS id, lot_id AS "lotId", lot.type
     FROM ledger.transfer JOIN ledger.lot USING (lot_id) JOIN ledger.account ON account.ledger_account_id = customer_id
     WHERE owner_id = $1 AND reference = ANY ($2)`,
    [accountId, [sale, `${sale}:net`, `${sale}:tax`]],
  )
  const part = (name: string) => parts.find((each) => each.reference === `${sale}${name}`)
  const [sold, paid, taxed] = [part(''), part(':net'), part(':tax')]
  if (!sold || !paid) throw new AppError('NOT_FOUND', `There is no sale ${sale} of this account.`)
  if (credits > 0) await revokeCredits(tx, accountId, credits, reference, { ...cause, type: sold.type })
  const post = poster(tx, accountId, { ...cause, lotId: paid.lotId, setId: sold.id })
  await post('repay', `${reference}:net`, net, paid.id)
  if (taxed) await post('repay_tax', `${reference}:tax`, tax, taxed.id)
  if (credits > 0) await post('unsell', `${reference}:unsold`, net, paid.id)
}

/** Posts one movement of paise, and none where there is nothing to move. */
function poster(tx: Tx, accountId: string, set: Cause & { readonly lotId: number; readonly setId: number | null }) {
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
      throw new AppError('CONFLICT', `The reference ${reference} was used before by another movement.`)
    }
  }
}
