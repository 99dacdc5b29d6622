/** What a call costs beside its answer: round trips to the database, counting of totals, lines in the log. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { buildServer } from '../../../src/api/server.ts'
import type { Db, Queryable } from '../../../src/db/db.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { collectHeldWords } from '../../../src/ingest/after/word-counts.ts'
import { newCustomer, operatorToken, secretKey, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'

const database = useTestDatabase()
const api = useApi(database)
const registration = { state: 'Goa', district: 'North Goa', pincode: '403001', registeredOn: '2024-05-01' }

/** A server of its own that tells its statements and its log lines. */
async function watchedServer() {
  const statements: string[] = []
  const lines: { status: number; route: string }[] = []
  const counted =
    (run: Queryable['query'] | Queryable['execute']) =>
    (sql: Parameters<Queryable['query']>[0], values?: readonly unknown[]) => {
      const name = typeof sql === 'string' ? sql : sql.name
      // What the audit log gathers is written for all calls of a second together.
      if (name !== 'note-in-trail') statements.push(name)
      return run(sql, values)
    }
  const watched = <Q extends Queryable>(on: Q) =>
    ({ ...on, query: counted(on.query), execute: counted(on.execute) }) as Q
  const db: Db = {
    ...watched(database.db),
    withConnection: (work) => database.db.withConnection((connection) => work(watched(connection))),
  }
  const app = await buildServer({
    db,
    queue: api.queue,
    log: pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    settings: { leadSource: 'Panji', onlineLabel: 'online' },
    secretKey,
    operatorToken: new Secret(operatorToken),
    trustedProxies: [],
  })
  await app.ready()
  return { app, statements, lines }
}

test('a details call costs two round trips, and calls that come together share both', async () => {
  const [company] = await addRegistrations(database.db, 'company', [registration])
  const { token } = await newCustomer(api, database)
  const { app, statements } = await watchedServer()
  const call = async () => {
    const url = `/api/company/details?cin=${company?.identifier}`
    const reply = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })
    expect(reply.statusCode).toBe(200)
    return Number(reply.headers['x-ratelimit-remaining'])
  }
  await call()
  statements.length = 0
  await call()
  expect(statements).toEqual(['admit', 'company-details'])

  statements.length = 0
  const remaining = await Promise.all(Array.from({ length: 20 }, call))
  expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 20 }, (_, index) => 97 - index))
  expect([...new Set(statements)]).toEqual(['admit', 'company-details'])
  expect(statements.length).toBeLessThan(20)
  await app.close()
})

test('a page of a feed costs three round trips, and pages that are asked for together share two of them', async () => {
  const ten = Array.from({ length: 10 }, () => ({ ...registration, state: 'Kerala' }))
  await addRegistrations(database.db, 'company', ten)
  await collectHeldWords(database.db, 'company')
  const { token, accountId } = await newCustomer(api, database)
  await grantEntitlement(database.db, { accountId, dataset: 'company', grantedBy: 'subscription' })
  const { app, statements } = await watchedServer()
  const headers = { authorization: `Bearer ${token}` }
  const left = async (asked: object) => {
    const url = '/api/recently-registered/companies'
    const reply = await app.inject({ method: 'POST', url, headers, payload: { state: 'Kerala', ...asked } })
    expect(reply.statusCode).toBe(200)
    return Number(reply.headers['x-ratelimit-records-remaining'])
  }
  const first = await left({})
  statements.length = 0
  expect(await left({})).toBe(first - 10)
  expect(statements).toEqual(['admit', 'feed-ground', expect.stringMatching(/^feed /)])

  statements.length = 0
  const remaining = await Promise.all(Array.from({ length: 15 }, () => left({})))
  expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 15 }, (_, index) => first - 20 - 10 * index))
  const times = (name: string) => statements.filter((each) => each.startsWith(name)).length
  expect([times('feed '), times('admit') + times('feed-ground')]).toEqual([15, expect.toSatisfy((n) => n < 15)])

  // A district that is spelled as the register spells it is looked up, and not compared with all others.
  const { district } = registration
  await left({ district })
  statements.length = 0
  await left({ district })
  expect(statements).toEqual(['admit', 'feed-ground', 'held-as-spelled', expect.stringMatching(/^feed /)])

  // Of the records that were reserved, those that did not come go back.
  statements.length = 0
  expect(await left({ limit: 100, page: 2 })).toBe(first - 180)
  expect(statements.slice(-1)).toEqual(['return-units'])
  await app.close()
})

test('the total of a feed is counted once per registry version, and again after the version rose', async () => {
  await addRegistrations(database.db, 'company', [registration, registration, registration])
  const { token, accountId } = await newCustomer(api, database)
  await grantEntitlement(database.db, { accountId, dataset: 'company', grantedBy: 'subscription' })
  const total = async (body: object = {}) =>
    (await api.post('/api/recently-registered/companies', token, body)).json<{ total: number }>().total
  expect(await total()).toBe(3)
  // A row goes behind the register's back: only a new count could tell.
  await database.db.execute(`DELETE FROM registry.company WHERE cin = (SELECT min(identifier) FROM feed.registration)`)
  expect(await total({ page: 2 })).toBe(3)
  expect(await total({ state: 'Goa' })).toBe(2)
  await database.db.execute(`UPDATE registry.version SET version = version + 1 WHERE entity = 'company'`)
  expect(await total()).toBe(2)
})

test('at the default level a refused call leaves a line in the log, a good one none', async () => {
  const { token } = await newCustomer(api, database)
  const { app, lines } = await watchedServer()
  const headers = { authorization: `Bearer ${token}` }
  await app.inject({ method: 'GET', url: '/api/users/me', headers })
  await app.inject({ method: 'GET', url: '/api/users/me' })
  await app.close()
  expect(lines).toMatchObject([{ route: '/api/users/me', status: 401 }])
})
