/** The price of an order in its currency: credits or rupees. */
import { counted, money } from './numbers.ts'

export const priced = (option: 'credits' | 'online', amount: number): string =>
  option === 'credits' ? counted(amount, 'credit') : money(amount)
