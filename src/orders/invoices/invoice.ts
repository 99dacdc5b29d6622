/** An invoice or credit note: what it says, as it was issued. */
import type { Seller } from '../../../config/seller.ts'

export interface InvoiceLine {
  readonly description: string
  /** Of records, credits or days; null where a part of one thing is meant. */
  readonly quantity: number | null
  /** Paise without tax. */
  readonly net: number
}

export interface Invoice {
  readonly number: string
  readonly kind: 'invoice' | 'credit_note'
  readonly issuedAt: Date
  /** The invoice that a credit note takes back. */
  readonly against: string | null
  readonly againstIssuedAt: Date | null
  readonly description: string
  readonly lines: readonly InvoiceLine[]
  readonly sac: string
  /** Percent. */
  readonly rate: number
  /** Two digits of the state. */
  readonly placeOfSupply: string
  readonly gstin: string | null
  readonly seller: Seller
  /** As the account said at the purchase. */
  readonly buyer: { readonly name: string; readonly address: string | null }
  /** All in paise. */
  readonly net: number
  readonly cgst: number
  readonly sgst: number
  readonly igst: number
  readonly total: number
}

/** In the seller's own state the tax is central and state tax; between states all of it is integrated tax, however little. */
export const isInState = ({ seller, placeOfSupply }: Pick<Invoice, 'seller' | 'placeOfSupply'>): boolean =>
  placeOfSupply === seller.gstin.slice(0, 2)
