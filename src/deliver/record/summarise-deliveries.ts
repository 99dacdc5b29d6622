/** How the deliveries of an account go, CRM by CRM: the last days, what is rejected by reason, what waits and until when. */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { undecidedCode } from '../lease/undecided-code.ts'

export const summaryDays = 14

export interface DeliverySummary {
  readonly destination_id: string
  /** The oldest first. */
  readonly days: readonly { readonly day: string; readonly delivered: number; readonly rejected: number }[]
  /** The most frequent first, as the CRM told them; `message` is one of those that it gave. */
  readonly rejected: readonly {
    readonly code: string | null
    readonly field: string | null
    readonly message: string | null
    readonly records: number
  }[]
  /** Fields that the CRM has no more, or that its user may not write, of leads that it took without them. */
  readonly left_out: readonly {
    readonly field: string | null
    readonly message: string | null
    readonly records: number
  }[]
  readonly waiting: number
  /** Of these: the CRM holds records like them, and a person is to say whether they are taken. */
  readonly undecided: number
  /** Null: at once, or not before somebody acts. */
  readonly next_attempt_at: Date | null
}

const summarySql = sqlFile(import.meta.url, 'summarise-deliveries.sql')

export const summariseDeliveries = (db: Queryable, accountId: string): Promise<DeliverySummary[]> =>
  db.query<DeliverySummary>(summarySql, [accountId, summaryDays, undecidedCode])
