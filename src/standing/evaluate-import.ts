/**
 * Finds the records that an applied import made match a standing order. Each is reported once, in a run of that order
 * that is open or needs approval. One transaction; idempotent.
 *
 * Only records that the import changed, or whose contacts or directors it changed, are evaluated. A record is a new
 * match if its previous version did not match; one that a standing order has ever found is not found again, whatever
 * imports, corrections or restarts follow, unless its import was undone.
 */
import { sources } from '../../config/sources/index.ts'
import type { Db, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type ScreenerType, screenerTypes } from '../registry/screener/fields.ts'
import { unlessInvalid } from './block.ts'
import { findMatches, type OrderMatcher, type Pass } from './find-matches.ts'
import { keepMatches } from './keep-matches.ts'
import { asksAbout, buildMatcher, type Related, readFacts } from './matcher.ts'
import { type StandingOrder, standingColumns, standingTables } from './standing-order.ts'
import { gatherReached, gatherSeated, gatherTouched, type Touched } from './touched.ts'

export interface Evaluation {
  readonly standingOrders: number
  readonly matches: number
}

export interface Live extends StandingOrder {
  readonly isEnterprise: boolean
}

interface Import {
  readonly source: string
  readonly finishedAt: Date
}

const nothing: Evaluation = { standingOrders: 0, matches: 0 }

export async function evaluateImport(db: Db, importRunId: number): Promise<Evaluation> {
  return db.transaction(async (tx) => {
    const [run] = await tx.query<Import>(
      `SELECT source, finished_at AS "finishedAt" FROM ingest.run
       WHERE run_id = $1 AND status = 'succeeded' AND NOT dry_run AND undo IS NULL AND undone_by IS NULL`,
      [importRunId],
    )
    const entity = sources.find(({ name }) => name === run?.source)?.entity
    if (!run || entity === undefined) return nothing
    await tx.execute('SET LOCAL jit = off')
    let standingOrders = 0
    let matches = 0
    const related = entity === 'contact' || entity === 'directorship' ? entity : undefined
    for (const type of screenerTypes.filter((each) => entity === each || affects(related, each))) {
      const live = (await readLive(tx, type, run.finishedAt)).filter((each) => !related || heeds(each, related))
      if (live.length === 0) continue
      const touched = await gather(tx, type, importRunId, related)
      if (touched.now === 0) continue
      standingOrders += live.length
      matches += await ask(tx, live, { importRunId, related, touched })
    }
    return { standingOrders, matches }
  })
}

const affects = (related: Related | undefined, type: ScreenerType): boolean =>
  related === 'contact' || (related === 'directorship' && type === 'company')

/** A feed reports registrations only, so new contacts and directors do not concern it. */
const heeds = (each: Live, related: Related): boolean => each.source !== 'feed' && asksAbout[related](each)

function gather(tx: Tx, type: ScreenerType, importRunId: number, related: Related | undefined): Promise<Touched> {
  if (related === 'contact') return gatherReached(tx, type, importRunId)
  return related === 'directorship' ? gatherSeated(tx, importRunId) : gatherTouched(tx, type, importRunId)
}

/** Those that were active before the import was applied. */
async function readLive(tx: Tx, type: ScreenerType, appliedAt: Date): Promise<Live[]> {
  return tx.query<Live>(
    sql`SELECT ${standingColumns}, account.is_enterprise AS "isEnterprise"
     FROM ${standingTables} JOIN access.account USING (account_id)
     WHERE s.state IN ('active', 'blocked') AND q.type = $1 AND s.active_since < $2
       AND (s.ends_on IS NULL OR s.ends_on >= runtime.indian_day(now()))
       AND account.suspended_at IS NULL AND account.erased_at IS NULL
     ORDER BY s.standing_order_id`,
    [type, appliedAt],
  )
}

/** @returns how many records newly match, summed over the standing orders. */
async function ask(tx: Tx, live: readonly Live[], pass: Pass): Promise<number> {
  const facts = await readFacts(tx, live)
  const orderMatchers: OrderMatcher[] = []
  for (const order of live) {
    const matcher = await unlessInvalid(tx, order, () => buildMatcher(tx, order, order, facts))
    if (!matcher) continue
    orderMatchers.push({ order, matcher })
  }
  await findMatches(tx, orderMatchers, pass)
  return keepMatches(tx, orderMatchers, pass.importRunId)
}
