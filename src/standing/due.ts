/**
 * Time-driven changes of standing orders: budgets of a new day, schedules that are due, last days; and the runs that
 * have to be bought now. Each statement is safe to run concurrently and changes a row once.
 */
import type { Db, Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { anyRecovered, goesOn, unblockRecovered } from './block.ts'
import { gatherRun } from './gather-run.ts'
import { endOverdue } from './switch.ts'

const today = 'runtime.indian_day(now())'
const localTime = sql`(now() AT TIME ZONE 'Asia/Kolkata')::time`

export async function keepStanding(db: Db): Promise<{ readonly ended: number; readonly runs: number }> {
  const ended = await db.transaction(endOverdue)
  await db.execute(
    sql`UPDATE orders.standing_order SET ${goesOn}
     WHERE state = 'blocked' AND reason = 'budget_used' AND runtime.indian_day(state_at) < ${today}`,
  )
  return { ended, runs: await makeDueRuns(db) }
}

const mondayOnly = sql`schedule LIKE 'monday %'`
const due = sql`state IN ('active', 'blocked') AND schedule <> 'import' AND coalesce(next_run_on, ${today}) <= ${today}
  AND ${localTime} >= right(schedule, 5)::time AND (NOT ${mondayOnly} OR next_run_on IS NOT NULL OR extract(isodow FROM ${today}) = 1)`

async function makeDueRuns(db: Db): Promise<number> {
  const rows = await db.query<{ id: string }>(
    sql`SELECT standing_order_id AS id FROM orders.standing_order WHERE ${due} ORDER BY standing_order_id`,
  )
  let runs = 0
  for (const { id } of rows) {
    runs += await db.transaction(async (tx) => {
      const claimed = await tx.execute(
        sql`UPDATE orders.standing_order SET next_run_on = CASE WHEN ${mondayOnly}
           THEN date_trunc('week', ${today})::date + 7 ELSE ${today} + 1 END WHERE standing_order_id = $1 AND ${due}`,
        [id],
      )
      return claimed > 0 && (await gatherRun(tx, id)) ? 1 : 0
    })
  }
  return runs
}

/** Seconds after which a run that could not be bought is retried. */
const againSeconds = 60

/** Enqueues a job for each open run that has not been tried recently, and for each whose CRM works again. */
export async function sendDueRuns(db: Db, queue: JobSender): Promise<number> {
  if (!(await anyDue(db)) && !(await anyRecovered(db))) return 0
  return db.transaction(async (tx) => {
    // Before the runs: a purchase locks the standing order first, too.
    const recovered = await unblockRecovered(tx)
    const runs = await tx.query<{ runId: number; standingOrderId: string }>(
      sql`UPDATE orders.standing_run SET tried_at = clock_timestamp() WHERE run_id IN (
         SELECT run_id ${dueRuns} ORDER BY run.run_id LIMIT 500 FOR UPDATE OF run SKIP LOCKED)
       RETURNING run_id AS "runId", standing_order_id AS "standingOrderId"`,
      [againSeconds, recovered],
    )
    for (const run of runs) await queue.send(tx, queues.buyStandingRun, run)
    return runs.length
  })
}

const dueRuns = sql`FROM orders.standing_run run JOIN orders.standing_order s USING (standing_order_id)
  JOIN access.account USING (account_id)
  WHERE run.state = 'open' AND s.state IN ('active', 'blocked') AND account.suspended_at IS NULL
    AND (tried_at IS NULL OR tried_at < clock_timestamp() - make_interval(secs => $1) OR s.standing_order_id = ANY ($2::uuid[]))`

async function anyDue(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ due: boolean }>(sql`SELECT EXISTS (SELECT ${dueRuns}) AS due`, [againSeconds, []])
  return row?.due === true
}
