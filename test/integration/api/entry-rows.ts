/**
 * Entries of the lists that tell what happened, or what one thing holds, written as the parts write them that own the tables: three at
 * each instant.
 */
import { issueApiKey } from '../../../src/access/api-keys.ts'
import type { Db } from '../../../src/db/db.ts'
import { adjustCredits } from '../../../src/orders/adjust-credits.ts'
import { insertCompany, insertDirector, insertGst } from '../../support/registry-rows.ts'
import { counting, pick, type RowMaker } from './list-rows.ts'

const instantOf = (n: number) => new Date(Date.UTC(2026, 4, 1, 6, Math.floor(n / 3))).toISOString()
const cin = 'U74999GA2020PTC000777'

/** The thing whose entries are listed, by the path of the list. */
async function thingsOf(db: Db, accountId: string) {
  const one = async (insert: string, ...values: unknown[]): Promise<string> => {
    const [made] = await db.query<{ id: unknown }>(insert, values)
    return String(made?.id)
  }
  await insertCompany(db, { cin, name: 'SORTED PRIVATE LIMITED' })
  await insertGst(db, { gstin: '30AAACR5055K1ZK', legal_name: 'SORTED' })
  await insertDirector(db, { din: '00000777', full_name: 'SORTED PERSON' })
  return {
    key: await issueApiKey(db, accountId),
    run: await one(
      `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ('gst', 'rejects.csv', 'delta', '2026-05-01', 'succeeded')
       RETURNING run_id AS id`,
    ),
    watchlist: await one(
      `INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, 'Goa', 'company') RETURNING watchlist_id AS id`,
      accountId,
    ),
    standingOrder: await one(
      `WITH made AS (
         INSERT INTO orders.standing_order (account_id, name, state_by, buys) VALUES ($1, 'Goa', 'system', false) RETURNING standing_order_id
       )
       INSERT INTO orders.standing_query (standing_order_id, version, source, type, query, has_mobile, has_email, active_only, created_by)
       SELECT standing_order_id, 1, 'screener', 'company', 'paidUpCapital > 1', false, false, true, 'system' FROM made
       RETURNING standing_order_id AS id`,
      accountId,
    ),
  }
}

export async function entryRows(
  db: Db,
  accountId: string,
): Promise<{ readonly makers: Record<string, RowMaker>; readonly addresses: Readonly<Record<string, string>> }> {
  const { key, run, watchlist, standingOrder } = await thingsOf(db, accountId)
  return {
    addresses: {
      '/admin/ledger': `/admin/ledger?user_id=${accountId}`,
      '/api/keys/{prefix}/requests': `/api/keys/${key.apiKey.slice(0, 10)}/requests`,
      '/api/standing-orders/{id}/runs': `/api/standing-orders/${standingOrder}/runs`,
      '/api/watchlist/{watchlist_id}': `/api/watchlist/${watchlist}`,
      '/admin/ingest/runs/{id}/rejects': `/admin/ingest/runs/${run}/rejects`,
      '/admin/records/{entity}/{identifier}/history': `/admin/records/company/${cin}/history`,
      '/api/company/history': `/api/company/history?cin=${cin}`,
      '/api/company/director-history': '/api/company/director-history?din=00000777',
      '/api/gst/history': '/api/gst/history?gstin=30AAACR5055K1ZK',
    },
    makers: {
      audit: counting((n) =>
        db.execute(
          `INSERT INTO access.audit (at, actor, action, subject, kind, account_id) VALUES ($1, $2, 'sorted', $3, 'refusal', $4)`,
          [instantOf(n), `account:${accountId}`, `thing ${n}`, accountId],
        ),
      ),
      credits: counting((n) =>
        db.transaction((tx) =>
          adjustCredits(tx, accountId, {
            ...{
              credits: pick([40, 5, -3, 40], n),
              reference: `sorted ${n}`,
              reason: 'to be sorted',
              actor: 'operator',
            },
          }),
        ),
      ),
      events: counting((n) =>
        db.execute('INSERT INTO deliver.event (account_id, type, data, created_at) VALUES ($1, $2, $3, $4)', [
          ...[accountId, pick(['order.delivered', 'credits.low'], n), '{}', instantOf(n)],
        ]),
      ),
      requests: counting((n) =>
        db.execute(
          `INSERT INTO access.request_log (account_id, api_key_id, at, method, route, status, ms, request_id)
           SELECT account_id, api_key_id, $2, $3, $4, $5, $6, $7 FROM access.api_key WHERE display_prefix = $1`,
          [
            ...[key.apiKey.slice(0, 10), instantOf(n), pick(['GET', 'POST'], n), pick(['/api/b', '/api/a'], n)],
            ...[pick([200, 404, 500], n), pick([3, 1200, 40], n), `request ${n}`],
          ],
        ),
      ),
      standingRuns: counting((n) =>
        db.execute(
          `INSERT INTO orders.standing_run (standing_order_id, version, state, matches, created_at) VALUES ($1, 1, $2, $3, $4)`,
          [standingOrder, pick(['finished', 'needs_approval', 'skipped'], n), pick([4, 12, 4], n), instantOf(n)],
        ),
      ),
      watched: counting((n) =>
        db.execute(
          'INSERT INTO access.watchlist_entity (watchlist_id, identifier, name, added_at) VALUES ($1, $2, $3, $4)',
          [
            ...[watchlist, `U74999GA2020PTC${String(900 - n).padStart(6, '0')}`],
            ...[pick(['Coral', 'amber', 'coral'], n), instantOf(n)],
          ],
        ),
      ),
      rejects: counting((n) =>
        db.execute('INSERT INTO ingest.reject (run_id, line, code, message, raw) VALUES ($1, $2, $3, $4, $5)', [
          ...[run, n + 2, pick(['value_missing', 'cin_malformed', 'date_unreadable'], n), 'wrong', 'a,b'],
        ]),
      ),
      changes: counting((n) =>
        db.execute(
          `INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after) VALUES ('company', $1, $2, 'update', $3, '{}', '{}')`,
          [cin, 1000 + n, pick(['2026-05-02', '2026-05-01', '2026-05-02'], n)],
        ),
      ),
    },
  }
}
