/** Jobs as operators see them: newest first, with their results. pg-boss deletes them some days after they end. */

import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { madeUntil } from '../db/until.ts'
import { deadLetterQueue } from './queues.ts'

export const jobStates = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const

export interface ListedJob {
  readonly job_id: string
  readonly queue: string
  readonly state: (typeof jobStates)[number]
  readonly attempts: number
  /** Of the last failure, if it left one. */
  readonly code: string | null
  readonly message: string | null
  readonly created_at: Date
  readonly due_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
}

export interface JobFilter {
  readonly queue?: string | undefined
  readonly state?: string | undefined
  /** Only jobs created at or before this time. */
  readonly until?: string | undefined
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'created_at' | 'queue' | 'state' | 'due_at' | 'ended_at'> | undefined
}

export const jobSorts = listSorts('created_at-', {
  by: {
    created_at: 'created_on',
    queue: 'name',
    state: 'state::text',
    due_at: 'start_after',
    ended_at: 'completed_on',
  },
  unknownLast: ['ended_at'],
  tie: 'id',
})

const matching = sql`FROM pgboss.job WHERE name <> $1 AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR state::text = $3)
  AND ${madeUntil('created_on', '$4')}`

export async function listJobs(
  db: Queryable,
  { queue, state, until, page, limit, sort }: JobFilter,
): Promise<{ jobs: ListedJob[]; total: number }> {
  const [used] = await db.query<{ used: boolean }>(`SELECT to_regclass('pgboss.job') IS NOT NULL AS used`)
  if (used?.used !== true) return { jobs: [], total: 0 }
  const filter = [deadLetterQueue, queue ?? null, state ?? null, until ?? null]
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${matching}`, filter)
  const jobs = await db.query<ListedJob>(
    sql`SELECT id AS job_id, name AS queue, state::text AS state, retry_count + (started_on IS NOT NULL)::int AS attempts,
            CASE WHEN state <> 'completed' THEN output ->> 'code' END AS code,
            CASE WHEN state <> 'completed' THEN output ->> 'message' END AS message,
            created_on AS created_at, start_after AS due_at, started_on AS started_at, completed_on AS ended_at
     ${matching} ORDER BY ${jobSorts.orderBy(sort)} LIMIT $5 OFFSET $6`,
    [...filter, limit, (page - 1) * limit],
  )
  return { jobs, total: counted?.total ?? 0 }
}
