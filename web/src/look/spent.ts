/** What was spent of the budget. */
import { count } from './numbers.ts'

export const spentOf = (spent: number, budget: number | undefined): string =>
  budget === undefined ? 'notifies only' : `${count(spent)} of ${count(budget)}`
