/**
 * Routes that read the registers run on connections that see the rows of all accounts, since a transaction around each of their
 * statements would cost more than the statement. What they ask of account-owned tables names the caller's account, each
 * time; this looks at every statement that they send.
 */
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/api/server.ts'
import type { Connection, Db, Queryable, Sql } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'
import { type LoggedIn, newCustomer, operatorToken, secretKey, useApi } from '../support/api.ts'
import { fillRegisters, known, openFeeds } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { raiseVersion } from '../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
let owned: string[]

beforeAll(async () => {
  await fillRegisters(database.db)
  for (const entity of ['company', 'director', 'gst']) await raiseVersion(database.db, entity)
  customer = await newCustomer(api, database)
  await openFeeds(database.db, customer.accountId)
  const walled = await database.db.query<{ name: string }>(
    'SELECT oid::regclass::text AS name FROM pg_class WHERE relrowsecurity',
  )
  owned = walled.map(({ name }) => name)
})

interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The same database, telling every statement, also those of transactions. */
function watched(db: Db, sent: Sent[]): Db {
  const told = <Q extends Queryable>(target: Q): Q => {
    const run =
      <T>(statement: (sql: Sql, values?: readonly unknown[]) => Promise<T>) =>
      (sql: Sql, values: readonly unknown[] = []) => {
        sent.push({ text: typeof sql === 'string' ? sql : sql.text, values })
        return statement(sql, values)
      }
    return { ...target, query: run(target.query as never), execute: run(target.execute as never) } as Q
  }
  const within =
    <C extends Connection, T>(work: (connection: C) => Promise<T>) =>
    (connection: C) =>
      work(told(connection))
  return {
    ...told(db),
    transaction: (work) => db.transaction(within(work)),
    readSnapshot: (timeoutMs, work) => db.readSnapshot(timeoutMs, within(work)),
    withConnection: (work) => db.withConnection(within(work)),
  }
}

const gets = [
  `/api/company/details?cin=${known.cin}`,
  `/api/company/details?cin=${known.cin}&include=origin`,
  `/api/gst/details?gstin=${known.gstin}`,
  `/api/company/director-details?din=${known.din}`,
  `/api/company/history?cin=${known.cin}`,
  `/api/company/trace?cin=${known.cin}`,
  '/api/company/company-filter?company=Konkan',
  '/api/gst/gst-filter?TradeName=Konkan',
  '/api/company/director-filter?firstName=Asha&lastName=Kamat',
  '/api/recently-registered/companies/summary',
  '/api/screener/fields',
  '/api/reference/hsn?search=rice',
]
const posts = [
  ['/api/recently-registered/companies', { limit: 5 }],
  ['/api/recently-registered/directors', { limit: 5 }],
  ['/api/recently-registered/gst', { limit: 5 }],
  ['/api/screener/explain', { query: "State == 'Goa'", type: 'company' }],
] as const

test('no route on them asks an account-owned table for anybody but its caller', async () => {
  const sent: Sent[] = []
  const app = await buildServer({
    db: watched(database.db, sent),
    queue: api.queue,
    log: pino({ level: 'silent' }),
    settings: { leadSource: 'Panji', onlineLabel: 'online' },
    secretKey,
    operatorToken: new Secret(operatorToken),
    trustedProxies: [],
  })
  await app.ready()
  const headers = { authorization: `Bearer ${customer.token}` }
  const calls = [
    ...gets.map((url) => ({ method: 'GET' as const, url, headers })),
    ...posts.map(([url, payload]) => ({ method: 'POST' as const, url, payload, headers })),
  ]
  // The authenticator asks once whether it knows the key of the token; that is no question of a route.
  await app.inject({ url: gets[0] ?? '', headers })
  const foreign: [string, string][] = []
  const touched = new Set<string>()
  for (const call of calls) {
    sent.length = 0
    const reply = await app.inject(call)
    expect([call.url, reply.statusCode, reply.statusCode < 300 ? '' : reply.body]).toEqual([
      call.url,
      reply.statusCode,
      '',
    ])
    expect(sent.length).toBeGreaterThan(0)
    for (const { text, values } of sent) {
      const tables = owned.filter((table) => text.includes(table))
      // Who is calling is asked by the session, before anybody is known. The log of requests is written once a second, whatever route is asked.
      const isOfNone = text.includes('Admits calls: who is calling') || text.includes('INTO access.request_log')
      if (tables.length === 0 || isOfNone) continue
      for (const table of tables) touched.add(table)
      const places = [...text.matchAll(/\baccount_id = \$(\d+)/g)].map(([, place]) => Number(place))
      const isInserted = /\(account_id[^)]*\)\s*(VALUES|SELECT)/i.test(text) && values.includes(customer.accountId)
      // What is asked for all calls that wait names their accounts in a list: here one calls alone.
      const lists = [...text.matchAll(/\$(\d+)::uuid\[\]/g)].map(([, place]) => Number(place))
      const named = [...places.map((place) => values[place - 1]), ...lists.flatMap((place) => values[place - 1])]
      const isOwn = named.length > 0 && named.every((each) => each === customer.accountId)
      if (!isOwn && !isInserted) foreign.push([call.url, text])
    }
  }
  await app.close()
  expect(foreign).toEqual([])
  // The caller's own row, grants with the terms that they are called by, and counters of the day; a further table is a further decision.
  // The table of terms has the name of that of subscriptions in it, which itself is not read.
  const terms = ['access.subscription', 'access.subscription_term']
  expect([...touched].toSorted()).toEqual(['access.account', 'access.daily_usage', 'access.entitlement', ...terms])
})
