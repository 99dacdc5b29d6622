/**
 * The credit ledger: grants, spends, refunds and revocations go in, each as one transfer of two entries that sum to
 * zero. Balances are derived from the entries and never fall below zero for a customer.
 *
 * Every movement carries a reference and happens once: repeating it changes nothing and says `applied: false`.
 * The customer's ledger account row is held from the first read of the balance to the end of the caller's
 * transaction, so parallel orders cannot spend the same credit. A transfer touches one customer account only, hence
 * there is no lock order to keep. The caller's transaction must be READ COMMITTED, PostgreSQL's default.
 */
import type { Queryable, Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { AppError } from '../errors.ts'

export interface Movement {
  /** False when the reference was used before by the very same movement. */
  readonly applied: boolean
  /** The customer's balance after it. */
  readonly balance: number
}

type TransferKind = 'grant' | 'spend' | 'refund' | 'revoke'

interface Transfer {
  readonly kind: TransferKind
  readonly reference: string
  /** Plus raises the customer's balance. */
  readonly amount: number
  readonly memo: string | null
}

/** More than anyone buys, and far below 2^53 even when summed. */
const creditsMax = 1_000_000_000

const moveCredits = sqlFile(import.meta.url, 'move-credits.sql')

export async function grantCredits(
  tx: Tx,
  accountId: string,
  credits: number,
  reference: string,
  memo?: string,
): Promise<Movement> {
  return moveOnce(tx, accountId, { kind: 'grant', reference, amount: checked(credits), memo: memo ?? null })
}

/** @throws AppError INSUFFICIENT_CREDITS when the balance is smaller; nothing was written. */
export async function spendCredits(
  tx: Tx,
  accountId: string,
  credits: number,
  reference: string,
  memo?: string,
): Promise<Movement> {
  return moveOnce(tx, accountId, { kind: 'spend', reference, amount: -checked(credits), memo: memo ?? null })
}

/** Takes back granted credits that are still there. @throws AppError INSUFFICIENT_CREDITS when they are not. */
export async function revokeCredits(
  tx: Tx,
  accountId: string,
  credits: number,
  reference: string,
  memo?: string,
): Promise<Movement> {
  return moveOnce(tx, accountId, { kind: 'revoke', reference, amount: -checked(credits), memo: memo ?? null })
}

/** Gives the credit of one order item back. See `refundItems`. */
export async function refundCredit(tx: Tx, accountId: string, itemId: string, memo?: string): Promise<Movement> {
  const refunded = await refundItems(tx, accountId, [itemId], memo)
  return { applied: refunded.length === 1, balance: await creditBalance(tx, accountId) }
}

/**
 * Gives the credits of order items back, one each, and marks the items.
 *
 * Only items of this account whose order spent credits count, and each item once: refunds never exceed spends.
 * @returns the items refunded by this call.
 */
export async function refundItems(
  tx: Tx,
  accountId: string,
  itemIds: readonly string[],
  memo?: string,
): Promise<string[]> {
  const ledgerAccountId = await holdAccount(tx, accountId)
  // The mark and the transfer stand or fall together; refunded_at alone decides who is still to be refunded.
  const items = await tx.query<{ item_id: string }>(
    `UPDATE orders.item SET refunded_at = now()
     FROM orders.purchase, ledger.transfer
     WHERE item.item_id = ANY($1::uuid[]) AND item.refunded_at IS NULL
       AND purchase.order_id = item.order_id AND purchase.account_id = $2
       AND transfer.kind = 'spend' AND transfer.reference = 'order:' || item.order_id
     RETURNING item.item_id`,
    [itemIds, accountId],
  )
  const transfers = items.map(({ item_id }): Transfer => {
    return { kind: 'refund', reference: `refund:${item_id}`, amount: 1, memo: memo ?? null }
  })
  const written = await write(tx, ledgerAccountId, transfers)
  if (written.length !== transfers.length) throw new Error('an item was refunded without being marked')
  return items.map(({ item_id }) => item_id)
}

export async function creditBalance(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ balance: number }>(
    `SELECT coalesce(sum(entry.amount), 0)::bigint AS balance
     FROM ledger.account JOIN ledger.entry USING (ledger_account_id)
     WHERE account.owner_id = $1 AND account.kind = 'credits'`,
    [accountId],
  )
  return row?.balance ?? 0
}

/**
 * Asks before anything else is looked at; the spend itself decides.
 * @throws AppError INSUFFICIENT_CREDITS
 */
export async function requireCredits(db: Queryable, accountId: string, required: number): Promise<void> {
  const balance = await creditBalance(db, accountId)
  if (balance < required) throw insufficientCredits(required, balance)
}

function insufficientCredits(required: number, balance: number): AppError {
  return new AppError(
    'INSUFFICIENT_CREDITS',
    `${required} credit(s) are needed, ${balance} are left. Nothing was written.`,
    { extra: { required, balance } },
  )
}

async function moveOnce(tx: Tx, accountId: string, transfer: Transfer): Promise<Movement> {
  const ledgerAccountId = await holdAccount(tx, accountId)
  const balance = await creditBalance(tx, accountId)
  const [earlier] = await tx.query<{ kind: string; amount: number }>(
    `SELECT transfer.kind, entry.amount
     FROM ledger.transfer JOIN ledger.entry USING (transfer_id)
     WHERE transfer.reference = $1 AND entry.ledger_account_id = $2`,
    [transfer.reference, ledgerAccountId],
  )
  if (earlier) {
    if (earlier.kind !== transfer.kind || earlier.amount !== transfer.amount) throw referenceTaken(transfer)
    return { applied: false, balance }
  }
  if (balance + transfer.amount < 0) throw insufficientCredits(-transfer.amount, balance)
  const written = await write(tx, ledgerAccountId, [transfer])
  if (written.length === 0) throw referenceTaken(transfer)
  return { applied: true, balance: balance + transfer.amount }
}

/** Creates the customer's ledger account where there is none, and holds its row until the transaction ends. */
async function holdAccount(tx: Tx, accountId: string): Promise<number> {
  const hold = () =>
    tx.query<{ id: number }>(
      `SELECT ledger_account_id AS id FROM ledger.account WHERE owner_id = $1 AND kind = 'credits' FOR NO KEY UPDATE`,
      [accountId],
    )
  let [row] = await hold()
  if (!row) {
    // Two first movements may meet here; the unique index lets one insert and the other waits for it.
    await tx.execute(
      `INSERT INTO ledger.account (owner_id, kind) VALUES ($1, 'credits') ON CONFLICT (owner_id, kind) DO NOTHING`,
      [accountId],
    )
    row = (await hold())[0]
  }
  if (!row) throw new Error('the ledger account could not be created')
  return row.id
}

async function write(tx: Tx, ledgerAccountId: number, transfers: readonly Transfer[]): Promise<string[]> {
  if (transfers.length === 0) return []
  const rows = await tx.query<{ reference: string }>(moveCredits, [
    ledgerAccountId,
    transfers.map(({ kind }) => kind),
    transfers.map(({ reference }) => reference),
    transfers.map(({ amount }) => amount),
    transfers.map(({ memo }) => memo),
  ])
  return rows.map(({ reference }) => reference)
}

function checked(credits: number): number {
  if (Number.isSafeInteger(credits) && credits >= 1 && credits <= creditsMax) return credits
  throw new AppError('BAD_REQUEST', `credits must be a whole number from 1 to ${creditsMax}`)
}

function referenceTaken(transfer: Transfer): AppError {
  return new AppError('CONFLICT', `The reference ${transfer.reference} was used before by another movement.`)
}
