/** The order of a command's first and last day. */
import { WrongUsage } from '../wrong-usage.ts'

/** @throws WrongUsage if the last day is before the first: an empty result would look as if nothing had happened. */
export function requireOrder({ first, last }: { first: string | undefined; last: string | undefined }): void {
  if (first === undefined || last === undefined || first <= last) return
  throw new WrongUsage(`the last day, ${last}, comes before the first, ${first}`)
}
