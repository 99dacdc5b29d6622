/** The second wall around what belongs to an account: a statement that forgets to ask whose rows it reads finds its own account's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountDb, actForAccount, allAccounts } from '../../src/db/account-scope.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import { insertAccount } from '../integration/deliver/paid-order.ts'
import { type LoggedIn, newCustomer, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, openFeeds, paidOrder } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
/** A route whose author forgot every WHERE. */
const api = useApi(database, [
  async (app, { db, delivery }) => {
    app.get('/api/forgetful', { schema: { operationId: 'forgetful' } }, async () => ({
      destinations: await delivery.db.query('SELECT account_id FROM deliver.destination'),
      orders: await db.query('SELECT account_id FROM orders.purchase'),
      within: await db.transaction((tx) => tx.query('SELECT account_id FROM access.watchlist')),
      snapshot: await db.readSnapshot(1_000, (tx) => tx.query('SELECT account_id FROM access.screener')),
    }))
  },
])
let [asha, ravi]: LoggedIn[] = []
let bare: Db
const logins: { name: string; open: (settings?: Record<string, string>, connectionsMax?: number) => Db }[] = [
  {
    name: 'a login that is the role, as beside the embedded database',
    open: (settings, connectionsMax = 4) =>
      openDb({
        connectionString: database.urlAs('panji_api'),
        applicationName: 'test-rls',
        connectionsMax,
        ...(settings && { settings }),
      }),
  },
  {
    name: 'a login that puts the role on, as with DATABASE_URL',
    open: (settings, connectionsMax = 4) =>
      openDb({
        connectionString: database.url,
        role: 'panji_api',
        applicationName: 'test-rls',
        connectionsMax,
        ...(settings && { settings }),
      }),
  },
]

/** Everything that an account may own, for two accounts. */
async function fill(customer: LoggedIn): Promise<void> {
  const { db } = database
  await openFeeds(db, customer.accountId)
  await addCredits(db, customer.accountId, 10)
  await paidOrder(db, api, customer)
  await db.execute(
    `WITH list AS (INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, 'Goa', 'company') RETURNING watchlist_id)
     INSERT INTO access.watchlist_entity (watchlist_id, identifier, name) SELECT watchlist_id, $2, 'Konkan' FROM list`,
    [customer.accountId, known.cin],
  )
  await db.execute(
    `INSERT INTO access.screener (account_id, name, type, query) VALUES ($1, 'Goa', 'company', 'State = "Goa"')`,
    [customer.accountId],
  )
  await db.execute(
    `INSERT INTO access.idempotency (account_id, key, request_sha256, claim_id) VALUES ($1, 'a', '', gen_random_uuid())`,
    [customer.accountId],
  )
  const [destination] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, settings_encrypted, remote_account)
     VALUES ($1, 'hubspot', 'CRM', '', 'x') RETURNING destination_id AS id`,
    [customer.accountId],
  )
  await db.execute(`INSERT INTO deliver.recall (destination_id, external_id) VALUES ($1, 'company:X')`, [
    destination?.id,
  ])
  await db.execute(
    `INSERT INTO deliver.push (destination_id, order_id, status)
     SELECT $1, order_id, 'queued' FROM orders.purchase WHERE account_id = $2 LIMIT 1`,
    [destination?.id, customer.accountId],
  )
}

/** Tables under the policies; all, or those that the API may read at all. */
const walled = async (db: Db, ofApi = false): Promise<{ name: string }[]> => {
  const tables = await db.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relrowsecurity AND (NOT $1 OR has_table_privilege('panji_api', c.oid, 'SELECT')) ORDER BY 1`,
    [ofApi],
  )
  expect(tables.length).toBeGreaterThan(15)
  return [...tables, ...alsoWalled.map((name) => ({ name }))]
}
/** The ledger's other face: a view, which shows what its reader may see. */
const alsoWalled = ['ledger.entry']
const count = async (db: Db, table: string): Promise<number> =>
  (await db.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`))[0]?.rows ?? -1

beforeAll(async () => {
  await fillRegisters(database.db)
  bare = openDb({ connectionString: database.url, applicationName: 'test-rls-owner', connectionsMax: 1 })
  asha = await newCustomer(api, database)
  ravi = await newCustomer(api, database)
  for (const each of [asha, ravi]) if (each) await fill(each)
  await insertAccount(database.db)
})
afterAll(() => bare.close())

const customers = (): readonly [LoggedIn, LoggedIn] => {
  if (!asha || !ravi) throw new Error('the customers are there in tests only')
  return [asha, ravi]
}

test('every table that hangs on an account has its policies', async () => {
  const rows = await database.db.query<{ name: string }>(
    `WITH RECURSIVE owned(relation) AS (
       SELECT 'access.account'::regclass
       UNION SELECT c.conrelid::regclass FROM pg_constraint c JOIN owned ON c.confrelid = owned.relation
       WHERE c.contype = 'f')
     SELECT relation::text AS name FROM owned
     -- Some name their owner without a foreign key, since a row is written for each lead of each batch.
     UNION SELECT a.attrelid::regclass::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
     WHERE c.relnamespace IN ('deliver'::regnamespace, 'orders'::regnamespace) AND NOT c.relispartition
       AND a.attname IN ('account_id', 'destination_id', 'order_id') AND NOT a.attisdropped
     ORDER BY 1`,
  )
  // A fact of the processor may name an order that nobody has.
  const ofNobody = ['ledger.kind', 'orders.payment_event']
  const open = rows.map(({ name }) => name).filter((name) => !name.startsWith('pgboss.') && !ofNobody.includes(name))
  const names = new Set((await walled(database.db)).map(({ name }) => name))
  expect(open.length).toBeGreaterThan(15)
  expect(open.filter((name) => !names.has(name))).toEqual([])
})

describe.each(logins)('$name', ({ open }) => {
  test('sees no row of an account while it does not say whose', async () => {
    const db = open()
    try {
      for (const { name } of await walled(database.db, true)) expect([name, await count(db, name)]).toEqual([name, 0])
    } finally {
      await db.close()
    }
  })

  test('sees the rows of the account that it acts for, and of nobody else, in every table', async () => {
    const pool = open()
    const scoped = accountDb(pool)
    const all = open(allAccounts)
    try {
      for (const { name } of await walled(database.db, true)) {
        const [ashas, ravis, everybodys] = [
          await actForAccount(customers()[0].accountId, () => count(scoped, name)),
          await actForAccount(customers()[1].accountId, () => count(scoped, name)),
          await count(all, name),
        ]
        expect([name, everybodys]).toEqual([name, await count(database.db, name)])
        expect(ashas + ravis, name).toBeLessThanOrEqual(everybodys)
        if (everybodys > 0 && name !== 'orders.payment') {
          expect([name, ashas > 0 || everybodys === 0, ashas < everybodys]).toEqual([name, true, true])
        }
      }
    } finally {
      await pool.close()
      await all.close()
    }
  })

  test('writes no row of another account', async () => {
    const pool = open()
    try {
      const [mine, theirs] = customers()
      const write = actForAccount(mine.accountId, () =>
        accountDb(pool).execute(`INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, 'x', 'company')`, [
          theirs.accountId,
        ]),
      )
      await expect(write).rejects.toMatchObject({ code: '42501' })
      const change = await actForAccount(mine.accountId, () =>
        accountDb(pool).execute(`UPDATE access.watchlist SET name = 'taken'`),
      )
      expect(change).toBe(1)
    } finally {
      await pool.close()
    }
  })

  test('a connection that served one account tells the next call nothing of it, after faults too', async () => {
    const pool = open(undefined, 1)
    try {
      const scoped = accountDb(pool)
      const [mine, theirs] = customers()
      const seen = (accountId: string) =>
        actForAccount(accountId, () => scoped.query<{ id: string }>('SELECT account_id AS id FROM access.account'))
      expect(await seen(mine.accountId)).toEqual([{ id: mine.accountId }])
      expect(await count(pool, 'access.account')).toBe(0)
      await expect(actForAccount(mine.accountId, () => scoped.query('SELECT 1 / 0'))).rejects.toThrow('division')
      expect(await count(pool, 'access.account')).toBe(0)
      expect(await seen(theirs.accountId)).toEqual([{ id: theirs.accountId }])
      expect(await scoped.query('SELECT FROM access.account')).toEqual([])
    } finally {
      await pool.close()
    }
  })
})

test('a route that forgets whose rows it reads answers with those of its caller', async () => {
  for (const { accountId, token } of customers()) {
    const reply = await api.get('/api/forgetful', token)
    const own = [{ account_id: accountId }]
    expect(reply.json()).toEqual({ destinations: own, orders: own, within: own, snapshot: own })
  }
})

test('calls of two accounts at once keep theirs apart', async () => {
  const calls = Array.from({ length: 40 }, (_, n) => customers()[n % 2 === 0 ? 0 : 1])
  const replies = await Promise.all(calls.map(({ token }) => api.get('/api/forgetful', token)))
  for (const [n, reply] of replies.entries()) {
    expect(reply.json().orders).toEqual([{ account_id: calls[n]?.accountId }])
  }
})
