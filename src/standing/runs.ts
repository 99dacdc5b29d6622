/** Runs of a standing order: what each found and bought, and the approval of runs that need it. */
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { literal, sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { holdStanding, readStanding } from './standing-order.ts'

export const runStates = ['needs_approval', 'open', 'finished', 'skipped', 'undone'] as const

export interface StandingRun {
  readonly run_id: number
  readonly standing_order_id: string
  /** Version of the query. */
  readonly version: number
  /** The import that it came from; null if there are several. */
  readonly import_run_id: number | null
  readonly state: (typeof runStates)[number]
  readonly reason: string | null
  readonly matches: number
  readonly usual: number | null
  readonly bought: number
  readonly owned: number
  readonly no_contact: number
  readonly over_budget: number
  readonly no_longer_matches: number
  readonly credits: number
  readonly reserved: number
  readonly orders: readonly string[]
  /** A sample of the matches, for the approval. */
  readonly sample: readonly { readonly number: string; readonly name: string }[]
  readonly created_at: string
  readonly finished_at: string | null
  readonly decided_by: string | null
}

const sampleMax = 10
const utc = (column: string) => sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const counted = (state: string) => sql`count(*) FILTER (WHERE state = ${literal(state)})::integer AS ${state}`

const runColumns = sql`
  run.run_id, run.standing_order_id, run.version, run.import_run_id, run.state, run.reason, run.matches, run.usual, counts.*,
  bought.credits, run.reserved, bought.orders, sample.rows AS sample, ${utc('run.created_at')} AS created_at,
  ${utc('run.finished_at')} AS finished_at, run.decided_by`
/** @param runs `orders.standing_run` or a subset of it; what each run bought is counted. */
const withResults = (runs: string) => sql`${runs} run
  CROSS JOIN LATERAL (SELECT ${['bought', 'owned', 'no_contact', 'over_budget', 'no_longer_matches'].map(counted).join(', ')}
    FROM orders.standing_match m WHERE m.run_id = run.run_id) counts
  CROSS JOIN LATERAL (SELECT coalesce(sum(total_amount), 0)::integer AS credits,
      coalesce(array_agg(order_id ORDER BY created_at), '{}') AS orders
    FROM orders.purchase WHERE standing_run_id = run.run_id) bought
  CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object('number', identifier, 'name', name)), '[]') AS rows FROM (
      SELECT m.identifier, coalesce(company.name, gst.trade_name, gst.legal_name, m.identifier) AS name FROM orders.standing_match m
      LEFT JOIN registry.company ON m.type = 'company' AND company.cin = m.identifier
      LEFT JOIN registry.gst_taxpayer gst ON m.type = 'gst' AND gst.gstin = m.identifier
      WHERE m.run_id = run.run_id ORDER BY m.identifier LIMIT ${sampleMax}) few) sample`

export const standingRunSorts = listSorts('created_at-', {
  by: { created_at: 'run.run_id', state: 'run.state', matches: 'run.matches' },
  tie: 'run.run_id DESC',
})

interface RunPage {
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'created_at' | 'state' | 'matches'> | undefined
}

/**
 * Newest first by default.
 * @throws AppError NOT_FOUND
 */
export async function listRuns(
  db: Queryable,
  accountId: string | null,
  id: string,
  { page, limit, sort }: RunPage,
): Promise<{ readonly runs: readonly StandingRun[]; readonly total: number }> {
  await readStanding(db, accountId, id)
  const [row] = await db.query<{ total: number }>(
    'SELECT count(*) AS total FROM orders.standing_run WHERE standing_order_id = $1',
    [id],
  )
  const order = standingRunSorts.orderBy(sort)
  const shown = sql`(SELECT * FROM orders.standing_run run WHERE standing_order_id = $1 ORDER BY ${order} LIMIT $2 OFFSET $3)`
  const runs = await db.query<StandingRun>(sql`SELECT ${runColumns} FROM ${withResults(shown)} ORDER BY ${order}`, [
    id,
    limit,
    (page - 1) * limit,
  ])
  return { runs, total: row?.total ?? 0 }
}

/**
 * Approves a run, or ends it without buying.
 * @param runId by default the run that has waited longest.
 * @throws AppError NOT_FOUND, CONFLICT if none needs approval.
 */
export async function decideRun(
  tx: Tx,
  accountId: string | null,
  id: string,
  { approve, runId, actor }: { readonly approve: boolean; readonly runId?: number | undefined; readonly actor: Actor },
): Promise<StandingRun> {
  const order = await holdStanding(tx, accountId, id)
  const [decided] = await tx.query<{ runId: number }>(
    `UPDATE orders.standing_run SET state = $3, decided_by = $4, decided_at = now(), finished_at = CASE WHEN $3 = 'skipped' THEN now() END
     WHERE run_id = (SELECT min(run_id) FROM orders.standing_run
       WHERE standing_order_id = $1 AND state = 'needs_approval' AND ($2::bigint IS NULL OR run_id = $2))
     RETURNING run_id AS "runId"`,
    [id, runId ?? null, approve ? 'open' : 'skipped', actor],
  )
  if (!decided) throw new AppError('CONFLICT', 'No run of this standing order waits for approval.')
  if (approve) {
    await tx.execute(
      'UPDATE orders.standing_order SET approved_at = coalesce(approved_at, now()) WHERE standing_order_id = $1',
      [id],
    )
  } else {
    await tx.execute(`UPDATE orders.standing_match SET state = 'skipped' WHERE run_id = $1 AND state = 'found'`, [
      decided.runId,
    ])
  }
  const action = approve ? 'approve standing run' : 'skip standing run'
  await audit(tx, { actor, action, subject: id, detail: { run: decided.runId }, accountId: order.accountId })
  const [run] = await tx.query<StandingRun>(
    sql`SELECT ${runColumns} FROM ${withResults('orders.standing_run')} WHERE run.run_id = $1`,
    [decided.runId],
  )
  if (!run) throw new Error('the run is held')
  return run
}
