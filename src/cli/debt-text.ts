/** What buyers owe and what was settled, for people: in rupees, like the options of the commands. Pure. */
import { shownRupees } from '../domain/shown-rupees.ts'
import { fields, table } from './output.ts'

interface Debt {
  readonly user_id: string
  readonly email: string | null
  readonly owed: number
  readonly since: unknown
}

export const debtTable = (debts: readonly Debt[]): string =>
  table(
    ['account', 'e-mail', 'owed', 'since'],
    debts.map(({ user_id: id, email, owed, since }) => [id, email, shownRupees(owed), since]),
  )

export const settledText = ({ settled, owed, ...named }: { user_id: string; settled: number; owed: number }): string =>
  fields({ ...named, settled: shownRupees(settled), owed: shownRupees(owed) })
