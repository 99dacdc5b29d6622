/** The state of an account's deliveries by CRM: the last days, rejections by reason, what waits and until when. */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { undecidedCode } from '../lease/undecided-code.ts'
import { withoutObjectors } from './without-objectors.ts'

export const summaryDays = 14

export interface DeliverySummary {
  readonly destination_id: string
  /** Oldest first. */
  readonly days: readonly { readonly day: string; readonly delivered: number; readonly rejected: number }[]
  /** Most frequent first, by the CRM's code and field; `message` is one of its messages. */
  readonly rejected: readonly {
    readonly code: string | null
    readonly field: string | null
    readonly message: string | null
    readonly records: number
  }[]
  /** Fields that the CRM no longer has, or that its user may not write, for leads that it accepted without them. */
  readonly left_out: readonly {
    readonly field: string | null
    readonly message: string | null
    readonly records: number
  }[]
  readonly waiting: number
  /** Of these, leads that resemble existing records and wait for a person's decision. */
  readonly undecided: number
  /** null: at once, or only after a person acts. */
  readonly next_attempt_at: Date | null
}

const summarySql = sqlFile(import.meta.url, 'summarise-deliveries.sql')

export async function summariseDeliveries(db: Queryable, accountId: string): Promise<DeliverySummary[]> {
  const summaries = await db.query<DeliverySummary>(summarySql, [accountId, summaryDays, undecidedCode])
  return Promise.all(
    summaries.map(async (summary) => ({
      ...summary,
      rejected: await withoutObjectors(db, summary.rejected),
      left_out: await withoutObjectors(db, summary.left_out),
    })),
  )
}
