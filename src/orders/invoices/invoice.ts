/** The content of an invoice or credit note as it was issued. */
import type { Seller } from '../../../config/seller.ts'
import { indianZone } from '../../domain/iso-date.ts'

export interface InvoiceLine {
  readonly description: string
  /** Number of records, credits or days; null for a part of one thing. */
  readonly quantity: number | null
  /** Paise without tax. */
  readonly net: number
}

export interface Invoice {
  readonly number: string
  readonly kind: 'invoice' | 'credit_note'
  readonly issuedAt: Date
  /** For a credit note: the invoice that it reverses. */
  readonly against: string | null
  readonly againstIssuedAt: Date | null
  readonly description: string
  readonly lines: readonly InvoiceLine[]
  readonly sac: string
  /** Percent. */
  readonly rate: number
  /** Two-digit state code. */
  readonly placeOfSupply: string
  readonly gstin: string | null
  readonly seller: Seller
  /** As the account had it at the time of purchase. */
  readonly buyer: { readonly name: string; readonly address: string | null }
  /** All in paise. */
  readonly net: number
  readonly cgst: number
  readonly sgst: number
  readonly igst: number
  readonly total: number
}

/** The day in India, as documents print it. */
export const dayOf = (instant: Date): string =>
  new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: indianZone }).format(instant)

/**
 * Within the seller's state the tax is split into central and state tax; between states all of it is integrated tax.
 */
export const isInState = ({ seller, placeOfSupply }: Pick<Invoice, 'seller' | 'placeOfSupply'>): boolean =>
  placeOfSupply === seller.gstin.slice(0, 2)
