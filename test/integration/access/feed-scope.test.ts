/** The feeds enforce exactly what the access statement says: over random grants and data, through the HTTP API. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GrantKind } from '../../../src/access/entitlements.ts'
import { grantEntitlement } from '../../../src/access/grants.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { addRegistrations, type Registration } from '../../support/registrations.ts'
import { districts, feeds, pincodes, states, useFeedReader } from './feed-reader.ts'

const database = useTestDatabase()
const api = useApi(database)
const readAll = useFeedReader(api)

const day = fc
  .integer({ min: 0, max: 59 })
  .map((days) => new Date(Date.UTC(2024, 3, 1 + days)).toISOString().slice(0, 10))
const some = (names: string[]) => fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined, freq: 2 })

const registrations = fc.array(
  fc.record({
    state: fc.option(fc.constantFrom(...states), { freq: 8 }),
    district: fc.option(fc.constantFrom(...districts), { freq: 8 }),
    pincode: fc.option(fc.constantFrom(...pincodes), { freq: 8 }),
    registeredOn: day,
  }),
  { minLength: 40, maxLength: 80 },
)
const grant = fc
  .record({
    grantedBy: fc.constantFrom<GrantKind>('enterprise', 'subscription', 'offer'),
    states: some(states),
    districts: some(districts),
    pincodes: some(pincodes),
    bounds: fc.tuple(fc.option(day, { nil: undefined }), fc.option(day, { nil: undefined })),
    anchored: fc.boolean(),
  })
  .map(({ bounds: [a, b], ...rest }) => {
    const [from, to] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b]
    return { ...rest, from, to, anchored: rest.anchored && from !== undefined }
  })

type Granted = typeof grant extends fc.Arbitrary<infer G> ? G : never

interface Scope {
  territory: { restricted: boolean; states: string[] | null; districts: string[] | null; pincodes: string[] | null }
  date_window: { from: string | null; to: string | null; anchored_to_subscription: boolean } | null
}
interface Statement extends Scope {
  enabled: boolean
  granted_by: string | null
  plans: { granted_by: string }[]
  grants: (Scope & { plan: string; expires_at: string | null })[]
}

async function statementOf(customer: LoggedIn, dataset: EntityType): Promise<Statement> {
  const reply = await api.get('/api/access', customer.token)
  expect(reply.statusCode).toBe(200)
  return reply.json().datasets.recently_registered[dataset]
}

function allowedBy(statement: Scope, row: Registration): boolean {
  const { states: s, districts: d, pincodes: p } = statement.territory
  const { from = null, to = null } = statement.date_window ?? {}
  const inList = (list: string[] | null, value: string | null) =>
    list === null || (value !== null && list.includes(value))
  return (
    inList(s, row.state) &&
    inList(d, row.district) &&
    inList(p, row.pincode) &&
    (from === null || row.registeredOn >= from) &&
    (to === null || row.registeredOn <= to)
  )
}

/** What the account bought: a row is allowed when any one grant allows it. */
function soldBy(grants: readonly Granted[], row: Registration): boolean {
  return grants.some((each) => {
    const lists = [
      [each.states, row.state],
      [each.districts, row.district],
      [each.pincodes, row.pincode],
    ] as const
    return (
      lists.every(([list, value]) => list === undefined || (value !== null && list.includes(value))) &&
      (each.from === undefined || row.registeredOn >= each.from) &&
      (each.to === undefined || row.registeredOn <= each.to)
    )
  })
}

/** What a statement or an answer prints: a row is allowed when any one of its grants allows it. */
const stated = (statement: Pick<Statement, 'grants'>, row: Registration): boolean =>
  statement.grants.some(({ territory, date_window }) => allowedBy({ territory, date_window }, row))

/** All days of the registrations above. */
const allDays = 'from_date=2024-04-01&to_date=2024-05-30'

/** As a summary tells them: the newest day first, within a day the largest, then by name. */
function countsOf(rows: readonly Registration[]) {
  const counts = new Map<string, { day: string; state: string | null; total: number }>()
  for (const { registeredOn, state } of rows) {
    const key = `${registeredOn} ${state}`
    counts.set(key, { day: registeredOn, state, total: (counts.get(key)?.total ?? 0) + 1 })
  }
  const name = (state: string | null) => state ?? '~'
  return [...counts.values()].sort(
    (a, b) => b.day.localeCompare(a.day) || b.total - a.total || (name(a.state) < name(b.state) ? -1 : 1),
  )
}

const newestFirst = (a: Registration, b: Registration) =>
  b.registeredOn.localeCompare(a.registeredOn) || (a.identifier < b.identifier ? -1 : 1)

test.each(['company', 'director', 'gst'] as const)(
  'the %s feed returns exactly the union of the grants, newest first, each row once, and total is their number',
  async (dataset) => {
    await fc.assert(
      fc.asyncProperty(registrations, fc.array(grant, { maxLength: 6 }), async (rows, grants) => {
        const stored = await addRegistrations(database.db, dataset, rows)
        const customer = await newCustomer(api, database)
        for (const each of grants) {
          await grantEntitlement(database.db, { accountId: customer.accountId, dataset, ...each })
        }
        const statement = await statementOf(customer, dataset)
        expect(statement.plans).toHaveLength(grants.length)
        expect(statement.grants).toHaveLength(grants.length)
        expect(statement.enabled).toBe(grants.length > 0)
        if (!statement.enabled) {
          expect((await api.post(feeds[dataset].path, customer.token, {})).statusCode).toBe(403)
          return
        }
        const kinds = grants.map(({ grantedBy }) => grantedBy)
        const best = (['enterprise', 'subscription', 'offer'] as const).find((kind) => kinds.includes(kind))
        expect(statement.granted_by).toBe(best)

        const allowed = stored.filter((row) => soldBy(grants, row))
        expect(stored.filter((row) => stated(statement, row))).toEqual(allowed)
        const { ids, total, access } = await readAll(customer, dataset)
        expect(ids).toEqual([...allowed].sort(newestFirst).map(({ identifier }) => identifier))
        expect(total).toBe(allowed.length)
        const { granted_by, territory, date_window, grants: printed } = statement
        expect(access).toEqual({ granted_by, territory, date_window, grants: printed })

        const counted = await api.get(`${feeds[dataset].path}/summary?${allDays}`, customer.token)
        expect(counted.json()).toMatchObject({ total, by_day: countsOf(allowed) })

        // The hull holds every row of the union, and is restricted unless some grant is nationwide.
        expect(allowed.every((row) => allowedBy(statement, row))).toBe(true)
        const isNationwide = (each: Granted) => !each.states && !each.districts && !each.pincodes
        expect(territory.restricted).toBe(!grants.some(isNationwide))
      }),
      { numRuns: draws(25) },
    )
  },
)

test('what is asked for within the union is the same rows, by place and days, and those that the answer says were applied', async () => {
  const asked = fc.record(
    {
      state: fc.constantFrom(...states),
      district: fc.constantFrom(...districts),
      pincode: fc.constantFrom(...pincodes),
      from_date: day,
      to_date: day,
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      registrations,
      fc.array(grant, { minLength: 1, maxLength: 5 }),
      asked,
      async (rows, grants, ask) => {
        fc.pre(ask.from_date === undefined || ask.to_date === undefined || ask.from_date <= ask.to_date)
        const stored = await addRegistrations(database.db, 'gst', rows)
        const customer = await newCustomer(api, database)
        for (const each of grants) {
          await grantEntitlement(database.db, { accountId: customer.accountId, dataset: 'gst', ...each })
        }
        const matching = stored.filter(
          (row) =>
            soldBy(grants, row) &&
            (ask.state === undefined || row.state === ask.state) &&
            (ask.district === undefined || row.district === ask.district) &&
            (ask.pincode === undefined || row.pincode === ask.pincode) &&
            (ask.from_date === undefined || row.registeredOn >= ask.from_date) &&
            (ask.to_date === undefined || row.registeredOn <= ask.to_date),
        )
        const lists = (each: Granted) =>
          [
            [each.states, ask.state],
            [each.districts, ask.district],
            [each.pincodes, ask.pincode],
          ] as const
        const isInside = grants.some((each) =>
          lists(each).every(([list, name]) => list === undefined || name === undefined || list.includes(name)),
        )
        if (!isInside) {
          const refused = await api.post(feeds.gst.path, customer.token, ask)
          expect([refused.statusCode, refused.json().error_code]).toEqual([403, 'TERRITORY_NOT_ENTITLED'])
          return
        }
        const { ids, total, access } = await readAll(customer, 'gst', ask)
        expect(ids).toEqual([...matching].sort(newestFirst).map(({ identifier }) => identifier))
        expect(total).toBe(matching.length)
        const isAtPlace = (row: Registration) =>
          (ask.state ?? row.state) === row.state &&
          (ask.district ?? row.district) === row.district &&
          (ask.pincode ?? row.pincode) === row.pincode
        expect(stored.filter((row) => isAtPlace(row) && stated(access, row))).toEqual(matching)
        for (const { date_window } of [access, ...access.grants]) {
          expect((date_window.from ?? '0000') <= (date_window.to ?? '9999')).toBe(true)
        }
      },
    ),
    { numRuns: draws(60) },
  )
})
