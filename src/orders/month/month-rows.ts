/**
 * The rows behind a month's sums: its invoices and credit notes with the columns for GSTR-1, and its journal in
 * rupees.
 */
import { listedAbovePaise } from '../../../config/gst-returns.ts'
import type { Queryable } from '../../db/db.ts'
import type { Month } from './month.ts'

/** Tables of GSTR-1: registered buyers, large and small sums of unregistered ones, and credit notes to either. */
export type ReturnTable = 'b2b' | 'b2cl' | 'b2cs' | 'cdnr' | 'cdnur'

export interface ReturnRow {
  readonly table: ReturnTable
  readonly number: string
  /** YYYY-MM-DD, in India. */
  readonly date: string
  /** GSTIN and name of the buyer as on the document. */
  readonly gstin: string | null
  readonly buyer: string
  /** Two-digit state code. */
  readonly place_of_supply: string
  readonly reverse_charge: 'N'
  readonly sac: string
  /** Percent. */
  readonly rate: number
  /** All in paise; for a credit note the reversed amount. */
  readonly taxable_value: number
  readonly igst: number
  readonly cgst: number
  readonly sgst: number
  readonly cess: number
  readonly value: number
  /** For a credit note: number and date of its invoice. */
  readonly against: string | null
  readonly against_date: string | null
}

/**
 * In order of their numbers. A credit note to an unregistered buyer whose invoice was part of a sum is deducted from
 * that sum (b2cs).
 */
export function returnRows(db: Queryable, { firstDay, lastDay }: Month): Promise<ReturnRow[]> {
  return db.query<ReturnRow>(
    `SELECT CASE WHEN document.gstin IS NOT NULL AND document.series = 'PI' THEN 'b2b' WHEN document.gstin IS NOT NULL THEN 'cdnr'
                 WHEN coalesce(invoice.igst, document.igst) > 0 AND coalesce(invoice.total, document.total) > $3
                 THEN CASE document.series WHEN 'PI' THEN 'b2cl' ELSE 'cdnur' END ELSE 'b2cs' END AS table,
            document.number, runtime.indian_day(document.issued_at)::text AS date, document.gstin, document.buyer ->> 'name' AS buyer,
            document.place_of_supply, 'N' AS reverse_charge, document.sac, document.rate, document.net AS taxable_value,
            document.igst, document.cgst, document.sgst, 0 AS cess, document.total AS value, document.against,
            runtime.indian_day(invoice.issued_at)::text AS against_date
     FROM orders.invoice AS document
     LEFT JOIN orders.invoice AS invoice ON invoice.number = document.against
     WHERE document.issued_at >= runtime.indian_midnight($1) AND document.issued_at < runtime.indian_midnight($2::date + 1)
     ORDER BY document.series DESC, document.financial_year, document.serial`,
    [firstDay, lastDay, listedAbovePaise],
  )
}

export interface JournalRow {
  readonly transfer_id: number
  /** YYYY-MM-DD, in India. */
  readonly date: string
  readonly kind: string
  readonly debit: string
  readonly credit: string
  /** Paise. */
  readonly amount: number
  readonly user_id: string | null
  /** Number of the invoice or credit note that the movement belongs to. */
  readonly document: string | null
  readonly reference: string
  readonly memo: string | null
}

const pageRows = 2_000

/** Every movement of money, oldest first, page by page, so that a month of any length can be exported. */
export async function* journalPages(
  db: Queryable,
  { firstDay, lastDay }: Month,
): AsyncGenerator<readonly JournalRow[]> {
  for (let after = 0; ; ) {
    const rows = await db.query<JournalRow>(
      `SELECT transfer_id, runtime.indian_day(transfer.created_at)::text AS date, transfer.kind, target.kind AS debit, source.kind AS credit,
              amount, customer.owner_id AS user_id, coalesce(own.number, sold.number) AS document, transfer.reference, memo
       FROM ledger.transfer JOIN ledger.account AS source ON source.ledger_account_id = from_id AND source.currency = 'paise'
       JOIN ledger.account AS target ON target.ledger_account_id = to_id
       LEFT JOIN ledger.account AS customer ON customer.ledger_account_id = customer_id LEFT JOIN ledger.lot USING (lot_id)
       LEFT JOIN orders.invoice AS own ON own.reference = regexp_replace(transfer.reference, ':[a-z_]+$', '')
       LEFT JOIN orders.invoice AS sold ON sold.reference = lot.sale
       WHERE transfer.created_at >= runtime.indian_midnight($1) AND transfer.created_at < runtime.indian_midnight($2::date + 1)
         AND transfer_id > $3
       ORDER BY transfer_id LIMIT $4`,
      [firstDay, lastDay, after, pageRows],
    )
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    after = rows.at(-1)?.transfer_id ?? after
  }
}
