/** Invoices and credit notes of an account, as they were issued. */
import type { Seller } from '../../../config/seller.ts'
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'

export interface Invoice {
  readonly number: string
  readonly kind: 'invoice' | 'credit_note'
  readonly issuedAt: Date
  /** The invoice that a credit note takes back. */
  readonly against: string | null
  readonly description: string
  readonly sac: string
  /** Two digits of the state. */
  readonly placeOfSupply: string
  readonly gstin: string | null
  readonly seller: Seller
  readonly buyer: string
  /** All in paise. */
  readonly net: number
  readonly cgst: number
  readonly sgst: number
  readonly igst: number
  readonly total: number
}

const select = `SELECT number, CASE series WHEN 'PI' THEN 'invoice' ELSE 'credit_note' END AS kind, issued_at AS "issuedAt",
  against, description, sac, place_of_supply AS "placeOfSupply", invoice.gstin, seller, account.username AS buyer, net, cgst,
  sgst, igst, total
  FROM orders.invoice JOIN access.account USING (account_id) WHERE account_id = $1`

/** The newest first; `total` counts all pages. */
export async function listInvoices(
  db: Queryable,
  accountId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ invoices: Invoice[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    'SELECT count(*) AS total FROM orders.invoice WHERE account_id = $1',
    [accountId],
  )
  const invoices = await db.query<Invoice>(sql`${select} ORDER BY issued_at DESC, number DESC LIMIT $2 OFFSET $3`, [
    accountId,
    limit,
    (page - 1) * limit,
  ])
  return { invoices, total: counted?.total ?? 0 }
}

/** @throws AppError NOT_FOUND, also for others' documents. */
export async function readInvoice(db: Queryable, accountId: string, number: string): Promise<Invoice> {
  const [invoice] = await db.query<Invoice>(sql`${select} AND number = $2`, [accountId, number])
  if (!invoice) throw new AppError('NOT_FOUND', 'There is no such invoice.')
  return invoice
}
