/** Lists of what happened are read in the order of an index, from either end: of a long list a page looks at little more than itself. */
import { beforeAll, expect, test } from 'vitest'
import { listRequests, requestSorts } from '../../../src/access/request-log/list-requests.ts'
import { auditLogSorts, readAuditLog } from '../../../src/audit/read-audit-log.ts'
import type { Db } from '../../../src/db/db.ts'
import { sql } from '../../../src/db/sql.ts'
import { eventSorts, listEvents } from '../../../src/notify/webhooks/webhooks.ts'
import { creditSorts, listCreditEntries } from '../../../src/orders/credit-entries.ts'
import {
  bookAccounts,
  countBookTransfers,
  isOfOneAccount,
  listTransfers,
  transferSorts,
} from '../../../src/orders/ledger-accounts.ts'
import { useTestDatabase } from '../../support/database.ts'
import { rowsRead } from '../../support/rows-read.ts'

const database = useTestDatabase()
const accounts = 20
const rows = 40_000
const uuidOf = (n: number | string) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`

beforeAll(async () => {
  await database.db.execute(
    `INSERT INTO access.audit (at, actor, action, subject, kind, account_id)
     SELECT now() - (${rows} - n) * interval '10 minutes', CASE n % 50 WHEN 0 THEN 'operator' ELSE 'account:x' END, 'read', n,
            'reading', lpad((n % ${accounts})::text, 32, '0')::uuid
     FROM generate_series(1, ${rows}) n`,
  )
  await database.db.transaction(async (tx) => {
    // Only where rows stand is asked for: what they would move, and what they name, is left out.
    await tx.execute('SET LOCAL session_replication_role = replica')
    await tx.execute(
      `INSERT INTO ledger.account (ledger_account_id, owner_id, kind, balance) OVERRIDING SYSTEM VALUE
       SELECT 1000 + n, lpad(n::text, 32, '0')::uuid, 'credits', 0 FROM generate_series(0, ${accounts} - 1) n`,
    )
    await tx.execute(
      `INSERT INTO ledger.transfer (kind, reference, from_id, to_id, amount, customer_id, balance_after, actor, created_at)
       SELECT CASE n % 3 WHEN 0 THEN 'grant' ELSE 'spend' END, n, (SELECT ledger_account_id FROM ledger.account WHERE kind = 'issued'), 1000 + n % ${accounts}, 1 + n % 7, 1000 + n % ${accounts}, n,
              'system', now() - (${rows} - n) * interval '10 minutes'
       FROM generate_series(1, ${rows}) n`,
    )
  })
  await database.db.transaction(async (tx) => {
    await tx.execute('SET LOCAL session_replication_role = replica')
    await tx.execute(
      `INSERT INTO deliver.event (account_id, type, data, created_at)
       SELECT lpad((n % ${accounts})::text, 32, '0')::uuid, 'order.delivered', '{}', now() - n * interval '1 minute'
       FROM generate_series(1, ${rows}) n`,
    )
    await tx.execute(
      `INSERT INTO access.api_key (api_key_id, account_id, key_sha256, display_prefix) VALUES ($1, $1, '\\x00', 'panji_7')`,
      [uuidOf(7)],
    )
    await tx.execute(
      `INSERT INTO access.request_log (account_id, api_key_id, at, method, route, status, ms, request_id)
       SELECT id, id, now() - n * interval '1 second', 'GET', '/api/orders', 200 + n % 7, n % 90, n
       FROM generate_series(1, ${rows}) n CROSS JOIN LATERAL (SELECT lpad((n % ${accounts})::text, 32, '0')::uuid AS id) o`,
    )
  })
  for (const table of ['access.audit', 'ledger.account', 'ledger.transfer', 'deliver.event', 'access.request_log']) {
    await database.db.execute(sql`VACUUM ANALYZE ${table}`)
  }
}, 120_000)

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const limit = 20

const logs = {
  'the whole log': {},
  'what an account did': { accountId: uuidOf(7) },
  'what operators did': { actor: 'operator' },
  'the last days': { from: dayBefore(3) },
  'all but the last days': { to: dayBefore(200) },
  'some days in between': { from: dayBefore(120), to: dayBefore(110) },
  'the last days of an account': { accountId: uuidOf(7), from: dayBefore(3) },
}

test.each(Object.entries(logs))(
  'a page of %s looks at few rows of the audit log, from either end',
  async (_, filter) => {
    for (const sort of auditLogSorts.names) {
      const read = (behind?: number) => (db: Db) => readAuditLog(db, filter, { behind, limit, sort })
      const first = await read()(database.db)
      expect(first.length).toBe(limit)
      const behind = first.at(-1)?.auditId
      for (const page of [read(), read(behind)]) {
        expect([sort, await rowsRead(database.db, /^audit$/, page)]).toEqual([sort, expect.toSatisfy((n) => n < 2_500)])
      }
    }
  },
)

/** All that one account has: once to count them, once to sort them. */
const own = expect.toSatisfy((read: number) => read > 0 && read <= (2 * rows) / accounts)
const few = expect.toSatisfy((rows: number) => rows < 100)

test('a page of the ledger looks at the rows that it shows, from either end, and in other orders at those of one account', async () => {
  for (const sort of transferSorts.names) {
    const filter = isOfOneAccount(sort) ? { userId: uuidOf(7) } : {}
    const page = (db: Db) => listTransfers(db, filter, limit, { sort, offset: limit })
    expect([sort, await rowsRead(database.db, /^transfer$/, page)]).toEqual([sort, isOfOneAccount(sort) ? own : few])
  }
})

test('the total and the balances of the ledger look at each transfer once, and a total at no account but those asked for', async () => {
  const looks = async (read: (db: Db) => Promise<unknown>) => ({
    transfers: await rowsRead(database.db, /^transfer$/, read),
    accounts: await rowsRead(database.db, /^account$/, read),
  })
  expect(await looks((db) => countBookTransfers(db, {}))).toEqual({ transfers: rows, accounts: 0 })
  expect(await looks((db) => countBookTransfers(db, { kind: 'grant' }))).toEqual({ transfers: rows, accounts: 0 })
  expect(await looks((db) => countBookTransfers(db, { userId: uuidOf(7) }))).toMatchObject({ transfers: own })
  const { transfers } = await looks(bookAccounts)
  expect(transfers).toBe(rows)

  const entries = await database.db.query<{ account: string; balance: number }>(
    `SELECT kind AS account, sum(amount)::bigint AS balance FROM ledger.entry JOIN ledger.account USING (ledger_account_id)
     GROUP BY kind ORDER BY kind`,
  )
  const told = (await bookAccounts(database.db)).filter(({ balance }) => balance !== 0)
  expect(told.map(({ account, balance }) => ({ account, balance }))).toEqual(entries)
  expect(entries.length).toBeGreaterThan(1)
})

test('the credits of an account are sorted among themselves, whatever the ledger holds of others', async () => {
  for (const sort of creditSorts.names) {
    const page = (db: Db) => listCreditEntries(db, uuidOf(7), { page: 2, limit, sort })
    expect([sort, await rowsRead(database.db, /^transfer$/, page)]).toEqual([sort, own])
  }
})

test('what an account was told of, and what a key called, is found whatever others were and did', async () => {
  for (const sort of eventSorts.names) {
    const page = (db: Db) => listEvents(db, uuidOf(7), { offset: limit, limit, sort })
    expect([sort, await rowsRead(database.db, /^event$/, page)]).toEqual([sort, own])
  }
  for (const sort of requestSorts.names) {
    const asked = { accountId: uuidOf(7), key: uuidOf(7), failed: false, offset: limit, limit, sort }
    const page = (db: Db) => listRequests(db, asked)
    expect([sort, await rowsRead(database.db, /^request_log$/, page)]).toEqual([sort, own])
  }
})

test('of some days, a page goes on with what is left where the last row that was shown has had its time', async () => {
  const read = (sort: 'at' | 'at-', behind?: number) =>
    readAuditLog(database.db, { from: dayBefore(3) }, { behind, limit, sort })
  const gone = rows * 2
  expect(await read('at', gone)).toEqual(await read('at'))
  expect(await read('at-', gone)).toEqual([])
})
