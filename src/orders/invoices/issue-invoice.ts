/**
 * Issues the document of a payment or repayment, an invoice or a credit note, in the transaction that books it. The
 * PDF is drawn and stored then. The number is the next in its series and financial year; a rollback returns it, so
 * the series has no gaps. One document per reference.
 */
import { gstPercent } from '../../../config/sales.ts'
import type { Seller } from '../../../config/seller.ts'
import type { Tx } from '../../db/db.ts'
import type { BillingDetails } from '../../domain/billing-details.ts'
import { AppError } from '../../errors.ts'
import { halvesOf } from '../tax.ts'
import { dayOf, type Invoice, type InvoiceLine, isInState } from './invoice.ts'
import { invoicePdf } from './invoice-pdf.ts'

export interface Supply {
  readonly accountId: string
  /** Reference of the movement: `payment:<processor>:<id>` or `repayment:<processor>:<id>`. */
  readonly reference: string
  readonly description: string
  /** Default: one line with the description. */
  readonly lines?: readonly InvoiceLine[]
  /** Paise. */
  readonly net: number
  readonly tax: number
}

/** @throws AppError SELLER_MISSING; without a seller nothing can be sold, since nothing could be invoiced. */
export function requireSeller(seller: Seller | undefined): Seller {
  if (seller) return seller
  throw new AppError(
    'SELLER_MISSING',
    'No seller is configured, so nothing can be invoiced: set PANJI_SELLER_NAME, PANJI_SELLER_ADDRESS and PANJI_SELLER_GSTIN.',
  )
}

/** How an invoice describes credits: of a pack, or those that a late payment for an order was converted into. */
export const creditsSold = (credits: number): string =>
  `${credits} ${credits === 1 ? 'credit' : 'credits'} for records of the Indian registers`

/** How an invoice describes a term of a plan or offer. */
export const accessSold = (name: string, { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date }) =>
  `${name}: access to records of the Indian registers from ${dayOf(startsAt)} to ${dayOf(endsAt)}`

/**
 * Addressed to the account's current billing details; without any, to the account's name, with the seller's state as
 * the place of supply.
 * @throws AppError SELLER_MISSING; the caller rolls back, and the processor reports the payment again.
 */
export async function issueInvoice(tx: Tx, given: Seller | undefined, supply: Supply): Promise<string> {
  const seller = requireSeller(given)
  const [account] = await tx.query<{ username: string; billing: BillingDetails | null }>(
    'SELECT username, billing FROM access.account WHERE account_id = $1',
    [supply.accountId],
  )
  const { legalName, address = null, placeOfSupply, gstin = null } = account?.billing ?? {}
  return write(tx, 'PI', {
    ...supply,
    ...{ seller, sac: seller.sac, rate: gstPercent, against: null, againstIssuedAt: null },
    ...{ buyer: { name: legalName ?? account?.username ?? '', address }, gstin },
    placeOfSupply: placeOfSupply ?? seller.gstin.slice(0, 2),
  })
}

/**
 * @param sale reference of the payment whose invoice this reverses in part or in full; the description is put before
 * that of the invoice.
 */
export async function issueCreditNote(tx: Tx, sale: string, supply: Supply): Promise<string | undefined> {
  const [invoice] = await tx.query<Terms & { sold: string; net: number; soldLines: InvoiceLine[] }>(
    `SELECT description AS sold, lines AS "soldLines", net, number AS against, issued_at AS "againstIssuedAt", place_of_supply AS "placeOfSupply", gstin, sac, rate, seller, buyer
     FROM orders.invoice WHERE reference = $1`,
    [sale],
  )
  // Payments from before invoices were introduced have none to reverse.
  if (!invoice) return undefined
  const { sold, soldLines, net, ...terms } = invoice
  // A full reversal lists the lines of the invoice.
  const isWhole = supply.net === net
  const lines = isWhole ? { lines: soldLines } : {}
  const description = `${isWhole ? supply.description : `Part ${supply.description.toLowerCase()}`} ${sold}`
  return write(tx, 'PC', { ...supply, ...lines, ...terms, description })
}

type Terms = Pick<
  Invoice,
  'against' | 'againstIssuedAt' | 'placeOfSupply' | 'gstin' | 'sac' | 'rate' | 'seller' | 'buyer'
>

async function write(tx: Tx, series: 'PI' | 'PC', document: Supply & Terms): Promise<string> {
  const {
    accountId,
    reference,
    description,
    net,
    tax,
    lines = [{ description, quantity: null, net }],
    ...terms
  } = document
  const taxes = isInState(terms) ? { ...halvesOf(tax), igst: 0 } : { cgst: 0, sgst: 0, igst: tax }
  const { number, year, serial, issuedAt } = await takeNumber(tx, series, reference)
  const kind = series === 'PI' ? 'invoice' : 'credit_note'
  const amounts = { net, ...taxes, total: net + tax }
  const pdf = await invoicePdf({ number, kind, issuedAt, description, lines, ...terms, ...amounts })
  await tx.execute(
    `INSERT INTO orders.invoice (number, series, financial_year, serial, issued_at, account_id, reference, against, description, lines,
       sac, rate, place_of_supply, gstin, seller, buyer, net, cgst, sgst, igst, total, pdf)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
    [
      ...[number, series, year, serial, issuedAt, accountId, reference],
      ...[terms.against, description, JSON.stringify(lines)],
      ...[terms.sac, terms.rate, terms.placeOfSupply, terms.gstin],
      ...[JSON.stringify(terms.seller), JSON.stringify(terms.buyer)],
      ...[net, taxes.cgst, taxes.sgst, taxes.igst, amounts.total, pdf],
    ],
  )
  return number
}

interface SeriesNumber {
  readonly number: string
  readonly year: string
  readonly serial: number
  readonly issuedAt: Date
}

/**
 * Locks the counter until the transaction ends. The document is issued when its money was booked: the transaction may
 * have begun in the month before.
 */
async function takeNumber(tx: Tx, series: string, reference: string): Promise<SeriesNumber> {
  const [row] = await tx.query<SeriesNumber>(
    `WITH booked AS (SELECT coalesce((SELECT created_at FROM ledger.transfer WHERE reference = $2 || ':net'), now()) AS at),
     in_india AS (SELECT runtime.indian_day(at) - interval '3 months' AS day FROM booked),
     year AS (SELECT to_char(day, 'YY') || to_char(day + interval '1 year', 'YY') AS name FROM in_india)
     INSERT INTO orders.invoice_counter AS counter (series, financial_year, last) SELECT $1, name, 1 FROM year
     ON CONFLICT (series, financial_year) DO UPDATE SET last = counter.last + 1
     RETURNING financial_year AS year, last AS serial, (SELECT at FROM booked) AS "issuedAt",
       series || '-' || financial_year || '-' || lpad(last::text, 7, '0') AS number`,
    [series, reference],
  )
  if (!row) throw new Error('the counter of invoices returned no number')
  return row
}
