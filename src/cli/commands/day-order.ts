/** The first and the last day of what a command is asked for. */
import { WrongUsage } from '../wrong-usage.ts'

/** @throws WrongUsage where no day is between the two: what is found of none would be read as that nothing happened. */
export function requireOrder({ first, last }: { first: string | undefined; last: string | undefined }): void {
  if (first === undefined || last === undefined || first <= last) return
  throw new WrongUsage(`the last day, ${last}, comes before the first, ${first}`)
}
