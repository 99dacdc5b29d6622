/** Invoices and credit notes of an account, as they were issued. */
import type { Queryable } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import type { Invoice } from './invoice.ts'

/** Columns of `orders.invoice` except the PDF. */
export const invoiceColumns = `number, CASE series WHEN 'PI' THEN 'invoice' ELSE 'credit_note' END AS kind, issued_at AS "issuedAt", against,
  (SELECT issued_at FROM orders.invoice AS billed WHERE billed.number = invoice.against) AS "againstIssuedAt",
  description, lines, sac, rate, place_of_supply AS "placeOfSupply", gstin, seller, buyer, net, cgst, sgst, igst, total`

/** Sorts by the absolute sum, also for credit notes. */
export const invoiceSorts = listSorts('issued_at-', {
  by: { number: 'number', issued_at: 'issued_at', net: 'net', total: 'total' },
  tie: 'number DESC',
})
export type InvoiceSort = SortOf<'number' | 'issued_at' | 'net' | 'total'>

/** Newest first by default; `total` counts all pages. */
export async function listInvoices(
  db: Queryable,
  accountId: string,
  { page, limit, sort }: { readonly page: number; readonly limit: number; readonly sort?: InvoiceSort | undefined },
): Promise<{ invoices: Invoice[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    'SELECT count(*) AS total FROM orders.invoice WHERE account_id = $1',
    [accountId],
  )
  const invoices = await db.query<Invoice>(
    sql`SELECT ${invoiceColumns} FROM orders.invoice WHERE account_id = $1 ORDER BY ${invoiceSorts.orderBy(sort)} LIMIT $2 OFFSET $3`,
    [accountId, limit, (page - 1) * limit],
  )
  return { invoices, total: counted?.total ?? 0 }
}

/** The document as it was issued, byte for byte. @throws AppError NOT_FOUND, also for documents of other accounts. */
export async function readInvoicePdf(db: Queryable, accountId: string, number: string): Promise<Buffer> {
  const [invoice] = await db.query<{ pdf: Buffer }>(
    'SELECT pdf FROM orders.invoice WHERE account_id = $1 AND number = $2',
    [accountId, number],
  )
  if (!invoice) throw new AppError('NOT_FOUND', 'There is no such invoice.')
  return invoice.pdf
}
