/** What the audit log keeps of anonymous clients, of accounts that are gone, and for the report after a leak. */

import { pino } from 'pino'
import { expect, test } from 'vitest'
import { auditLogBounds } from '../../config/audit-log.ts'
import { breachReport } from '../../src/audit/breach-report.ts'
import { createReadings, type Noted } from '../../src/audit/readings.ts'
import { createRefusals } from '../../src/audit/refusals.ts'
import type { Db } from '../../src/db/db.ts'
import { buildTestServer, freshAddress, newCustomer, operatorToken, recordJobs, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, paidOrder } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const settle = async () => expect((await api.get('/admin/audit?limit=1', operatorToken)).statusCode).toBe(200)

interface Row {
  readonly kind: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly address: string | null
  readonly account_id: string | null
  readonly credential: string | null
  readonly detail: Record<string, unknown>
  readonly identifiers: string[] | null
  readonly records: number | null
}
const rows = (where: string, values: readonly unknown[] = []) =>
  database.db.query<Row>(`SELECT * FROM access.audit WHERE ${where} ORDER BY audit_id`, values)

const noFault = (error: unknown) => {
  throw error
}
const reading: Noted = {
  kind: 'reading',
  actor: 'system',
  action: 'read details',
  accountId: null,
  credential: null,
  operation: 'gathered',
  address: null,
  reason: null,
  dataClass: 'details',
}

test('a thousand refusals of one address leave one row with their number', async () => {
  const address = freshAddress()
  for (let times = 0; times < 1_000; times++) {
    const reply = await api.app.inject({
      url: '/api/users/me',
      remoteAddress: address,
      headers: { authorization: 'Bearer x' },
    })
    expect([401, 429]).toContain(reply.statusCode)
  }
  await settle()
  expect(await rows('address = $1', [address])).toMatchObject([
    { kind: 'refusal', actor: 'anonymous', subject: 'UNAUTHENTICATED', detail: { times: 1_000 } },
  ])
})

test('refusals from however many addresses leave no more rows than are allowed within a minute', async () => {
  const refusals = createRefusals(database.db, noFault)
  for (let n = 0; n < 10_000; n++) {
    const address = `10.77.${n >> 8}.${n & 255}`
    const anonymous = { actor: 'anonymous', accountId: null, credential: null, operation: 'flooded' } as const
    refusals.note({ code: 'INVALID_API_KEY', address, ...anonymous })
  }
  await refusals.flush()
  const own = await rows(`operation = 'flooded'`)
  expect(own).toHaveLength(auditLogBounds.refusalSourcesMax)
  const [shared] = await rows(`address = 'other addresses'`)
  expect(shared?.detail).toEqual({ times: 10_000 - auditLogBounds.refusalSourcesMax })
})

test('a wrong key, a key without the scope, and an operator without the role are distinguished', async () => {
  const address = freshAddress()
  const wrong = { api_key: `panji_${'x'.repeat(43)}` }
  await api.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress: address, payload: wrong })
  const customer = await newCustomer(api, database)
  const key = (await api.post('/api/keys', customer.token, { name: 'reader', scopes: ['read'] })).json()
  const login = await api.post('/api/auth/login', undefined, { api_key: key.api_key })
  const { access_token: token } = login.json().token
  expect((await api.post('/api/orders/normal', token, {})).statusCode).toBe(403)
  const viewer = (await api.post('/admin/operators', operatorToken, { name: 'vera', role: 'viewer' })).json().token
  expect((await api.post('/admin/security/block-ip', viewer, { ip: '10.1.1.1' })).statusCode).toBe(403)
  await settle()
  expect(await rows('address = $1', [address])).toMatchObject([
    { kind: 'refusal', subject: 'INVALID_API_KEY', actor: 'anonymous' },
  ])
  expect(await rows(`kind = 'refusal' AND account_id = $1`, [customer.accountId])).toMatchObject([
    { subject: 'SCOPE_MISSING', credential: key.key_id },
  ])
  expect(await rows(`kind = 'refusal' AND actor = 'operator:vera'`)).toMatchObject([
    { subject: 'OPERATOR_ROLE_MISSING' },
  ])
})

test('readings of a second are one row, and no identifier is lost however many they are', async () => {
  const readings = createReadings(database.db, noFault)
  const identifiers = Array.from({ length: 1_234 }, (_, n) => `id ${n}`)
  for (let times = 0; times < 20; times++) void readings.note(reading, ['id 0'])
  void readings.note(reading, identifiers)
  await readings.flush()
  const written = await rows(`operation = 'gathered'`)
  expect(written.length).toBeLessThan(5)
  expect(new Set(written.flatMap((row) => row.identifiers))).toEqual(new Set(identifiers))
  expect(written.reduce((sum, { records }) => sum + (records ?? 0), 0)).toBe(1_254)
  for (const row of written) expect(row.identifiers?.length).toBeLessThanOrEqual(auditLogBounds.identifiersMax)
})

test('while the database takes nothing, readings are kept, and beyond the bound whoever reads next fails with it', async () => {
  let away = true
  const db: Pick<Db, 'query' | 'execute'> = {
    query: (sql, values) => database.db.query(sql, values),
    execute: async (sql, values) => {
      if (away) throw new Error('the database is away')
      return database.db.execute(sql, values)
    },
  }
  const faults: unknown[] = []
  const readings = createReadings(db, (error) => faults.push(error))
  const later = { ...reading, operation: 'kept' }
  expect(readings.note(later, ['one'])).toBeUndefined()
  await expect(readings.flush()).rejects.toThrow('away')
  const many = Array.from({ length: auditLogBounds.heldMax }, (_, n) => `id ${n}`)
  await expect(readings.note(later, many)).rejects.toThrow('away')
  away = false
  await readings.flush()
  const [counted] = await database.db.query<{ records: number }>(
    `SELECT sum(records) AS records FROM access.audit WHERE operation = 'kept'`,
  )
  expect(counted?.records).toBe(auditLogBounds.heldMax + 1)
})

test('a server that closes writes what it has gathered', async () => {
  const app = await buildTestServer(database, recordJobs(), [], { log: pino({ level: 'silent' }) })
  const address = freshAddress()
  await app.inject({ url: '/api/users/me', remoteAddress: address })
  expect(await rows('address = $1', [address])).toEqual([])
  await app.close()
  expect(await rows('address = $1', [address])).toMatchObject([{ kind: 'refusal' }])
})

test('an account sees its own rows alone, and operators without their names', async () => {
  const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  await api.post(`/admin/users/${other.accountId}/keys`, operatorToken, { name: 'other' })
  await api.post(`/admin/users/${one.accountId}/keys`, operatorToken, { name: 'support' })
  const reply = await api.get('/api/audit', one.token)
  const { data } = reply.json<{ data: { actor: string; action: string; address: string | null }[] }>()
  expect(data.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
    'operator create account',
    'operator issue api key',
    'operator issue api key',
    'you log in',
  ])
  expect(data.filter(({ actor }) => actor === 'operator').map(({ address }) => address)).toEqual([null, null, null])
  expect(reply.body).not.toContain('default')
  expect(reply.body).not.toContain(other.accountId)
  const page = (await api.get('/api/audit?limit=3', one.token)).json()
  const rest = (await api.get(`/api/audit?limit=3&cursor=${page.next_cursor}`, one.token)).json()
  expect([page.data.length, rest.data.length, rest.next_cursor]).toEqual([3, 1, null])
})

test('an erased account leaves its rows under its id, and nothing in them that names the person', async () => {
  await fillRegisters(database.db)
  const email = 'gone.person@example.net'
  const customer = await newCustomer(api, database, {
    email,
    username: 'Gone Person',
    plan: 'premium',
    isEnterprise: true,
  })
  await addCredits(database.db, customer.accountId, 10)
  const orderId = await paidOrder(database.db, api, customer)
  await api.get(`/api/crm/orders/${orderId}/leads`, customer.token)
  await api.get(`/api/company/director-details?din=${known.din}`, customer.token)
  const erased = await api.app.inject({
    method: 'DELETE',
    url: '/api/users/me/account',
    headers: { authorization: `Bearer ${customer.token}` },
    payload: { confirm: email },
  })
  expect(erased.statusCode).toBe(200)
  await settle()
  const own = await rows('account_id = $1', [customer.accountId])
  expect(own.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['log in', 'place order', 'read leads', 'read details', 'erase account']),
  )
  for (const person of [email, 'Gone Person', customer.apiKey.slice(0, 10), 'gone.person']) {
    expect(await rows('audit::text ILIKE $1', [`%${person}%`])).toEqual([])
  }
  // What it was shown is still told after a leak.
  const report = await breachReport(database.db, { accountId: customer.accountId, from: '2020-01-01' })
  expect(report.accounts).toMatchObject([{ account_id: customer.accountId }])
  expect(report.classes.map(({ data_class, records }) => [data_class, records])).toEqual([
    ['details', 1],
    ['leads', 3],
  ])
  expect(report.records).toMatchObject(
    [
      { identifier: known.cin, kind: 'company', data_classes: ['leads'], readings: 1 },
      { identifier: known.din, kind: 'director', data_classes: ['details', 'leads'], readings: 2 },
      { identifier: known.gstin, kind: 'gst', data_classes: ['leads'], readings: 1 },
    ].sort((a, b) => (a.identifier < b.identifier ? -1 : 1)),
  )
  expect(report.addresses).toEqual(['10.0.0.1', '127.0.0.1'])
  expect(report.credentials).toHaveLength(1)
  const key = report.credentials[0] ?? ''
  expect((await breachReport(database.db, { credentials: [key], from: '2020-01-01' })).records).toHaveLength(3)
  expect((await breachReport(database.db, { address: '10.99.99.99', from: '2020-01-01' })).readings).toBe(0)
  expect((await breachReport(database.db, { credentials: [key], from: '2020-01-01', to: '2020-01-02' })).readings).toBe(
    0,
  )
})
