/** The price of an order: in rupees where it is paid online, otherwise in credits. */
import { counted, paise } from './numbers.ts'

export interface Priced {
  /** In credits. */
  readonly total_amount: number
  /** In paise; set for an online payment. */
  readonly payment?: { readonly amount: number }
}

export const priced = ({ total_amount, payment }: Priced): string =>
  payment ? paise(payment.amount) : counted(total_amount, 'credit')
