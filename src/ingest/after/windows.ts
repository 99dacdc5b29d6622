/**
 * Counts per entitlement, state and day within its territory and window. After a run only the days that the run
 * touched are counted again; after a change of entitlements those entitlements whole. Every count is taken from
 * the feed as it stands, so repeating or reordering refreshes ends in the same table.
 */
import type { Db, Tx } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import { entityTypes } from '../../domain/identity.ts'

const countWindows = sqlFile(import.meta.url, 'refresh-windows.sql')
const countsOf = entityTypes.map((dataset) => ({ dataset, count: fillSql(countWindows, { dataset }) }))
/** Two refreshes of one table would each delete what the other inserts; one at a time. */
const windowsLock = 0x77696e64

export interface WindowsRefreshed {
  readonly entitlements: number
  readonly rows: number
}

export async function refreshWindows(
  db: Db,
  request: { readonly runId?: number | undefined; readonly entitlementIds?: readonly string[] | undefined },
): Promise<WindowsRefreshed> {
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1)', [windowsLock])
    const { runId, entitlementIds } = request
    const afterGrant = entitlementIds?.length ? await ofEntitlements(tx, entitlementIds) : none
    const afterRun = runId === undefined ? none : await ofRun(tx, runId)
    return sumOf(afterRun, afterGrant)
  })
}

const none: WindowsRefreshed = { entitlements: 0, rows: 0 }

async function ofRun(tx: Tx, runId: number): Promise<WindowsRefreshed> {
  // Invariant: only the days that the run touched are removed, and they are counted again right below.
  await tx.execute(
    `DELETE FROM feed.window_count w USING ingest.touched_day d, access.entitlement e
     WHERE d.run_id = $1 AND w.registered_on = d.registered_on
       AND e.entitlement_id = w.entitlement_id AND e.dataset = d.dataset`,
    [runId],
  )
  const counted = await countAgain(tx, null, runId)
  await tx.execute('DELETE FROM ingest.touched_day WHERE run_id = $1', [runId])
  return counted
}

async function ofEntitlements(tx: Tx, entitlementIds: readonly string[]): Promise<WindowsRefreshed> {
  // Invariant: an entitlement that is gone keeps no counts.
  await tx.execute('DELETE FROM feed.window_count WHERE entitlement_id = ANY($1::uuid[])', [entitlementIds])
  return countAgain(tx, entitlementIds, null)
}

async function countAgain(
  tx: Tx,
  entitlementIds: readonly string[] | null,
  runId: number | null,
): Promise<WindowsRefreshed> {
  let sum = none
  for (const { dataset, count } of countsOf) {
    const [counted] = await tx.query<WindowsRefreshed>(count, [dataset, entitlementIds, runId])
    if (counted) sum = sumOf(sum, counted)
  }
  return sum
}

const sumOf = (a: WindowsRefreshed, b: WindowsRefreshed): WindowsRefreshed => ({
  entitlements: a.entitlements + b.entitlements,
  rows: a.rows + b.rows,
})
