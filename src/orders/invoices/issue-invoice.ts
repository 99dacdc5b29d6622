/**
 * A payment, or money that went back, gets its document: an invoice or a credit note, in the transaction that books it.
 * The number is the next of its series and financial year; a rollback gives it back, so the series has no gap. Under one
 * reference there is one document.
 */
import type { Seller } from '../../../config/seller.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { halvesOf } from '../tax.ts'

export interface Supply {
  readonly accountId: string
  /** Of the movement: `payment:<processor>:<id>` or `repayment:<processor>:<id>`. */
  readonly reference: string
  readonly description: string
  /** Paise. */
  readonly net: number
  readonly tax: number
  /** Two digits of the state where the buyer is; where nobody said so, the law takes the seller's. */
  readonly placeOfSupply?: string | null
  readonly gstin?: string | null
}

/** @throws AppError SELLER_MISSING: without one nothing is sold, for nothing could be invoiced. */
export function requireSeller(seller: Seller | undefined): Seller {
  if (seller) return seller
  throw new AppError(
    'SELLER_MISSING',
    'Who sells is not configured here, so nothing can be invoiced: set PANJI_SELLER_NAME, PANJI_SELLER_ADDRESS and PANJI_SELLER_GSTIN.',
  )
}

/** What an invoice calls credits: those of a pack, and those that the payment of an order became which waited no more. */
export const creditsSold = (credits: number): string =>
  `${credits} ${credits === 1 ? 'credit' : 'credits'} for records of the Indian registers`

/** @throws AppError SELLER_MISSING; the caller rolls back, and the processor tells of the payment again. */
export async function issueInvoice(tx: Tx, given: Seller | undefined, supply: Supply): Promise<string> {
  const seller = requireSeller(given)
  const place = supply.placeOfSupply ?? supply.gstin?.slice(0, 2) ?? seller.gstin.slice(0, 2)
  return write(tx, 'PI', { ...supply, place, gstin: supply.gstin ?? null, sac: seller.sac, seller, against: null })
}

/** @param sale reference of the payment, whose invoice this takes back in part or as a whole. */
export async function issueCreditNote(
  tx: Tx,
  sale: string,
  supply: Pick<Supply, 'accountId' | 'reference' | 'description' | 'net' | 'tax'>,
): Promise<string | undefined> {
  const [invoice] = await tx.query<{
    number: string
    place: string
    gstin: string | null
    sac: string
    seller: Seller
  }>('SELECT number, place_of_supply AS place, gstin, sac, seller FROM orders.invoice WHERE reference = $1', [sale])
  // Payments from before there were invoices have none to take back.
  if (!invoice) return undefined
  const { number: against, ...terms } = invoice
  return write(tx, 'PC', { ...supply, ...terms, against })
}

interface Document extends Omit<Supply, 'placeOfSupply'> {
  readonly place: string
  readonly sac: string
  readonly seller: Seller
  readonly against: string | null
}

async function write(tx: Tx, series: 'PI' | 'PC', document: Document): Promise<string> {
  const { accountId, reference, against, description, sac, place, gstin, net, tax } = document
  const inState = place === document.seller.gstin.slice(0, 2)
  const parts = inState ? { ...halvesOf(tax), igst: 0 } : { cgst: 0, sgst: 0, igst: tax }
  const [row] = await tx.query<{ number: string }>(
    `WITH now_in_india AS (SELECT runtime.indian_day(now()) - interval '3 months' AS day),
     year AS (SELECT to_char(day, 'YY') || to_char(day + interval '1 year', 'YY') AS name FROM now_in_india),
     taken AS (
       INSERT INTO orders.invoice_counter AS counter (series, financial_year, last) SELECT $1, name, 1 FROM year
       ON CONFLICT (series, financial_year) DO UPDATE SET last = counter.last + 1
       RETURNING financial_year, last)
     INSERT INTO orders.invoice (number, series, financial_year, serial, account_id, reference, against, description, sac,
       place_of_supply, gstin, seller, net, cgst, sgst, igst, total)
     SELECT $1 || '-' || financial_year || '-' || lpad(last::text, 7, '0'), $1, financial_year, last, $2, $3, $4, $5, $6, $7, $8, $9,
       $10::bigint, $11::bigint, $12::bigint, $13::bigint, $10::bigint + $11::bigint + $12::bigint + $13::bigint
     FROM taken RETURNING number`,
    [
      ...[
        series,
        accountId,
        reference,
        against,
        description,
        sac,
        place,
        gstin ?? null,
        JSON.stringify(document.seller),
      ],
      ...[net, parts.cgst, parts.sgst, parts.igst],
    ],
  )
  if (!row) throw new Error('the insert of an invoice returned no row')
  return row.number
}
