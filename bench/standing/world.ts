/** Standing orders of many accounts, their conditions in both languages, and the outcome of their matches. */
import type { Db } from '../../src/db/db.ts'
import { literal } from '../../src/db/sql.ts'
import { grantCredits } from '../../src/orders/ledger.ts'
import { createStanding } from '../../src/standing/create.ts'
import { resumeStanding } from '../../src/standing/switch.ts'

export interface Asked {
  readonly query: string
  /** The same over the row alias `r`, with inlined values. */
  readonly byHand: string
}

const states = ['Maharashtra', 'Delhi', 'Karnataka', 'Tamil Nadu', 'Gujarat', 'West Bengal'] as const
const perAccount = 10

/** From broad to selective, no two alike. */
export const conditions = (count: number): Asked[] =>
  Array.from({ length: count }, (_, n) => {
    const state = states[n % states.length] ?? 'Delhi'
    const capital = 10_000 + (n % 9) * 10_000
    const nic = 1110 + n * 150
    const variants: readonly Asked[] = [
      {
        query: `State == '${state}' AND paidUpCapital >= ${capital} AND NICCode >= ${nic}`,
        byHand: `r.state = '${state}' AND r.paid_up_capital >= ${capital} AND r.nic_code >= ${nic}`,
      },
      {
        query: `State IN ['${state}', 'Goa'] AND NICCode BETWEEN ${nic} AND ${nic + 5_000}`,
        byHand: `r.state IN ('${state}', 'Goa') AND r.nic_code BETWEEN ${nic} AND ${nic + 5_000}`,
      },
      {
        query: `llpStatus == 'Active' AND paidUpCapital BETWEEN ${capital} AND ${capital + 20_000} AND State != '${state}'`,
        byHand: `r.status = 'Active' AND r.paid_up_capital BETWEEN ${capital} AND ${capital + 20_000} AND r.state <> '${state}'`,
      },
    ]
    return variants[n % variants.length] ?? { query: '', byHand: '' }
  })

/** @param destinationOf makes the destination of an account. @returns the accounts. */
export async function makeStandingOrders(
  db: Db,
  asked: readonly Asked[],
  destinationOf: (accountId: string) => Promise<string>,
): Promise<string[]> {
  const accounts: string[] = []
  for (let from = 0; from < asked.length; from += perAccount) {
    const [account] = await db.query<{ id: string }>(
      `INSERT INTO access.account (email, username, is_enterprise) VALUES ($1, $1, true) RETURNING account_id AS id`,
      [`bench-${from}@example.in`],
    )
    if (!account) throw new Error('the insert of an account returned no row')
    accounts.push(account.id)
    await db.transaction((tx) => grantCredits(tx, account.id, 100_000, `bench:${account.id}`))
    const destinations = [await destinationOf(account.id)]
    for (const { query } of asked.slice(from, from + perAccount)) {
      await db.transaction(async (tx) => {
        const { standingOrderId } = await createStanding(
          tx,
          account.id,
          {
            ...{ name: query.slice(0, 100), source: 'screener', type: 'company', query, screenerId: null },
            ...{ watchlistId: null, hasMobile: false, hasEmail: false, activeOnly: false, buys: true },
            budget: { day: 20, month: 400, run: 20 },
            ...{ prefer: 'newest', destinations, mappings: {}, schedule: 'import', endsOn: null },
          },
          'operator',
        )
        await resumeStanding(tx, null, standingOrderId, { actor: 'operator' })
      })
    }
  }
  // No run needs approval.
  await db.execute(`UPDATE orders.standing_order SET approved_at = now()`)
  await db.execute(
    'CREATE SCHEMA bench CREATE TABLE match (n integer, cin text, run_id bigint, found_at timestamptz DEFAULT now(), PRIMARY KEY (n, cin))',
  )
  return accounts
}

/** What an expert would write with the history and the conditions at hand: one statement, one pass. */
export async function askByHand(db: Db, asked: readonly Asked[], runId: number): Promise<number> {
  const each = asked.map(({ byHand }, n) => `SELECT ${n} AS n WHERE ${byHand}`)
  return db.transaction(async (tx) => {
    await tx.execute('SET LOCAL jit = off')
    return tx.execute(
      `INSERT INTO bench.match (n, cin, run_id) SELECT asked.n, r.cin, ${literal(String(runId))}::bigint
       FROM ingest.change c JOIN registry.company r ON r.cin = c.identifier CROSS JOIN LATERAL (${each.join(' UNION ALL ')}) asked
       WHERE c.run_id = ${literal(String(runId))}::bigint AND c.entity = 'company' AND c.kind = 'insert' ON CONFLICT DO NOTHING`,
    )
  })
}

export async function newestRun(db: Db): Promise<number> {
  const [run] = await db.query<{ id: number }>('SELECT max(run_id) AS id FROM ingest.run')
  return run?.id ?? 0
}

/** An e-mail address for each company that the import brought. */
export async function makeContacts(db: Db, runId: number): Promise<void> {
  await db.execute(
    `INSERT INTO registry.contact (id, entity, identifier, email, first_run_id, last_run_id, as_of)
     SELECT 'company:' || identifier, 'company', identifier, 'office@' || lower(identifier) || '.example.in', $1, $1, '2026-11-01'
     FROM ingest.change WHERE run_id = $1 AND entity = 'company' AND kind = 'insert' ON CONFLICT DO NOTHING`,
    [runId],
  )
}

export async function matchesOf(db: Db, runId: number): Promise<number> {
  const [row] = await db.query<{ matches: number }>(
    'SELECT count(*) AS matches FROM orders.standing_match WHERE import_run_id = $1',
    [runId],
  )
  return row?.matches ?? 0
}

/** Runs of the import that are still buying. */
export async function stillBuying(db: Db, runId: number): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    `SELECT count(*)::integer AS open FROM orders.standing_run WHERE import_run_id = $1 AND state = 'open'`,
    [runId],
  )
  return row?.open ?? 0
}

/** Runs of the import that are still buying, and bought leads without their CRM's answer. */
export async function unsent(db: Db, runId: number): Promise<number> {
  const [row] = await db.query<{ left: number }>(
    `SELECT (SELECT count(*) FROM orders.standing_run WHERE import_run_id = $1 AND state = 'open')
          + (SELECT count(*) FROM orders.standing_run run JOIN orders.purchase p ON p.standing_run_id = run.run_id
             JOIN orders.item i USING (order_id) WHERE run.import_run_id = $1 AND i.refunded_at IS NULL
               AND NOT EXISTS (SELECT FROM deliver.delivery d WHERE d.item_id = i.item_id AND d.state IN ('acknowledged', 'rejected'))) AS left`,
    [runId],
  )
  return row?.left ?? 0
}
