/** Lists of commands stop at a number of rows, and say so on standard error. */
import { grouped } from '../domain/counted.ts'
import type { CommandContext } from './settings.ts'

export const shownMax = 100

/** @param remedy how to see the others. */
export function noteOthers(
  { out }: CommandContext,
  shown: number,
  total: number,
  remedy = 'the console lists all of them',
): void {
  if (total > shown) out.note(`${grouped(shown)} of ${grouped(total)}; ${remedy}`)
}
