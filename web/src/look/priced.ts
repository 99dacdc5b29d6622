/** The price of an order: in rupees where it is paid online, otherwise in credits. */
import type { components } from '../../../client/api-types.ts'
import { counted, paise } from './numbers.ts'

export type Priced = Pick<components['schemas']['OrderSummary'], 'total_amount' | 'payment'>

export const priced = ({ total_amount, payment }: Priced): string =>
  payment ? paise(payment.amount) : counted(total_amount, 'credit')
