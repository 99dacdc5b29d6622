/** The feeds enforce exactly what the access statement says: over random grants and data, through the HTTP API. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GrantKind } from '../../../src/access/entitlements.ts'
import { grantEntitlement } from '../../../src/access/grants.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations, type Registration } from '../../support/registrations.ts'

const database = useTestDatabase()
const api = useApi(database)

const states = ['Goa', 'Kerala', 'Punjab', 'Tamil Nadu']
const districts = ['North Goa', 'Ernakulam', 'Ludhiana', 'Chennai']
const pincodes = ['403001', '682001', '141001', '600001']
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

const feeds = {
  company: { path: '/api/recently-registered/companies', id: 'CIN' },
  director: { path: '/api/recently-registered/directors', id: 'DIN' },
  gst: { path: '/api/recently-registered/gst', id: 'GSTIN' },
} as const

async function statementOf(customer: LoggedIn, dataset: EntityType): Promise<Statement> {
  const reply = await api.get('/api/access', customer.token)
  expect(reply.statusCode).toBe(200)
  return reply.json().datasets.recently_registered[dataset]
}

/** All pages of a feed, and the total that every page told. */
async function readAll(customer: LoggedIn, dataset: EntityType, body: object = {}) {
  const { path, id } = feeds[dataset]
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const reply = await api.post(path, customer.token, { ...body, page, limit: 37 })
    expect(reply.statusCode).toBe(200)
    const { data, total, access } = reply.json()
    ids.push(...data.map((record: Record<string, string>) => record[id]))
    if (data.length < 37) return { ids, total, access }
  }
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

/** What the statement prints: a row is allowed when any one of its grants allows it. */
const stated = (statement: Statement, row: Registration): boolean =>
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
        const { granted_by, territory, date_window } = statement
        expect(access).toEqual({ granted_by, territory, date_window })

        const counted = await api.get(`${feeds[dataset].path}/summary?${allDays}`, customer.token)
        expect(counted.json()).toMatchObject({ total, by_day: countsOf(allowed) })

        // The hull holds every row of the union, and is restricted unless some grant is nationwide.
        expect(allowed.every((row) => allowedBy(statement, row))).toBe(true)
        const isNationwide = (each: Granted) => !each.states && !each.districts && !each.pincodes
        expect(territory.restricted).toBe(!grants.some(isNationwide))
      }),
      { numRuns: 25 },
    )
  },
)

test('what is asked for within the union is the same rows, by state, district, pincode and days', async () => {
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
        const { ids, total } = await readAll(customer, 'gst', ask)
        expect(ids).toEqual(matching.sort(newestFirst).map(({ identifier }) => identifier))
        expect(total).toBe(matching.length)
      },
    ),
    { numRuns: 60 },
  )
})

describe('a request within the entitlement', () => {
  const rows = states.flatMap((state, index) =>
    ['2024-04-10', '2024-05-01', '2024-05-20'].map((registeredOn) => ({
      state,
      district: districts[index] ?? null,
      pincode: pincodes[index] ?? null,
      registeredOn,
    })),
  )
  const entitled = async (dataset: EntityType, scope: object) => {
    const customer = await newCustomer(api, database)
    const accountId = customer.accountId
    await grantEntitlement(database.db, { accountId, dataset, grantedBy: 'subscription', ...scope })
    return customer
  }

  test('dates are clamped to the window and the access block tells what was applied', async () => {
    await addRegistrations(database.db, 'gst', rows)
    const customer = await entitled('gst', { from: '2024-05-01', to: '2024-05-31', anchored: true })
    const early = await readAll(customer, 'gst', { from_date: '2020-01-01', to_date: '2030-01-01' })
    expect([early.total, early.access.date_window]).toEqual([
      8,
      { from: '2024-05-01', to: '2024-05-31', anchored_to_subscription: true },
    ])
    const late = await readAll(customer, 'gst', { from_date: '2024-05-02' })
    expect([late.total, late.access.date_window.from]).toEqual([4, '2024-05-02'])
    const before = await readAll(customer, 'gst', { to_date: '2024-04-30' })
    expect([before.total, before.ids]).toEqual([0, []])
    const turned = await api.post(feeds.gst.path, customer.token, { from_date: '2024-05-02', to_date: '2024-05-01' })
    expect([turned.statusCode, turned.json().error_code]).toEqual([422, 'UNPROCESSABLE'])
  })

  test('a state, district or pincode outside the territory is refused in the documented shape', async () => {
    const customer = await entitled('company', { states: ['Goa'], districts: ['North Goa'], pincodes: ['403001'] })
    for (const [body, reason] of [
      [{ state: 'Kerala' }, 'state_outside_entitled_territory'],
      [{ district: 'North Goa,Ernakulam' }, 'district_outside_entitled_territory'],
      [{ pincode: '403001, 682001' }, 'pincode_outside_entitled_territory'],
    ] as const) {
      const reply = await api.post(feeds.company.path, customer.token, body)
      expect(reply.statusCode).toBe(403)
      expect(reply.json()).toEqual({
        error_code: 'TERRITORY_NOT_ENTITLED',
        dataset: 'recently_registered.company',
        message: expect.any(String),
        reason,
        detail: expect.any(String),
        request_id: expect.any(String),
        doc_url: '/docs/errors#TERRITORY_NOT_ENTITLED',
      })
    }
    const inside = { state: ' goa ', district: 'NORTH GOA', pincode: '403001' }
    expect((await api.post(feeds.company.path, customer.token, inside)).statusCode).toBe(200)
  })

  test('a district or pincode that the directory knows in other states alone is outside a grant of states', async () => {
    await database.db.execute(
      `INSERT INTO reference.pincode (id, pincode, district, state, offices, first_run_id, last_run_id, as_of)
       SELECT pincode || district, pincode, district, state, 1, 1, 1, '2025-10-01'
       FROM (VALUES ('403001', 'North Goa', 'Goa'), ('403601', 'South Goa', 'Goa'), ('411001', 'Pune', 'Maharashtra'),
                    ('415001', 'Bordering', 'Maharashtra'), ('403800', 'Bordering', 'Goa'), ('403999', 'Unsorted', NULL))
         AS places (pincode, district, state)`,
    )
    try {
      await addRegistrations(database.db, 'company', rows)
      const customer = await entitled('company', { states: ['Goa'] })
      const ask = (body: object) => api.post(feeds.company.path, customer.token, body)
      for (const [body, reason] of [
        [{ district: 'PUNE' }, 'district_outside_entitled_territory'],
        [{ district: 'North Goa,Pune' }, 'district_outside_entitled_territory'],
        [{ state: 'Goa', district: 'Pune' }, 'district_outside_entitled_territory'],
        [{ pincode: '411001' }, 'pincode_outside_entitled_territory'],
        [{ pincode: '403001,411001' }, 'pincode_outside_entitled_territory'],
      ] as const) {
        const reply = await ask(body)
        expect([reply.statusCode, reply.json()]).toEqual([
          403,
          expect.objectContaining({ error_code: 'TERRITORY_NOT_ENTITLED', reason }),
        ])
      }
      for (const body of [{ district: 'north goa' }, { pincode: '403001' }]) {
        expect((await ask(body)).json()).toMatchObject({
          total: expect.any(Number),
          access: { granted_by: 'subscription' },
        })
      }
      // In two states, in none that is known, and unknown to the directory: each may hold records of the territory.
      for (const body of [{ district: 'Bordering' }, { pincode: '403999' }, { pincode: '999999' }]) {
        expect((await ask(body)).statusCode).toBe(200)
      }
      const district = await entitled('company', { districts: ['North Goa'] })
      const elsewhere = await api.post(feeds.company.path, district.token, { pincode: '403601' })
      expect([elsewhere.statusCode, elsewhere.json().reason]).toEqual([403, 'pincode_outside_entitled_territory'])
      const both = await entitled('company', { states: ['Goa'], from: '2024-05-01' })
      await grantEntitlement(database.db, {
        accountId: both.accountId,
        dataset: 'company',
        grantedBy: 'subscription',
        states: ['Maharashtra'],
        from: '2024-01-01',
      })
      // Only the grant that can hold the place is applied and told.
      const applied = await api.post(feeds.company.path, both.token, { pincode: '411001' })
      expect(applied.json().access).toMatchObject({
        territory: { states: ['Maharashtra'] },
        date_window: { from: '2024-01-01' },
      })
    } finally {
      await database.db.execute('DELETE FROM reference.pincode')
    }
  })

  test('a summary counts the last days, clamps to the window, narrows to a state and bounds the days asked for', async () => {
    await addRegistrations(database.db, 'company', rows)
    const customer = await entitled('company', { from: '2024-05-01', states: ['Goa', 'Kerala'] })
    const summary = (query: string) => api.get(`${feeds.company.path}/summary?${query}`, customer.token)
    const all = await summary('from_date=2024-04-01&to_date=2024-05-31')
    expect(all.json()).toEqual({
      total: 4,
      by_state: [
        { state: 'Goa', total: 2 },
        { state: 'Kerala', total: 2 },
      ],
      by_day: [
        { day: '2024-05-20', state: 'Goa', total: 1 },
        { day: '2024-05-20', state: 'Kerala', total: 1 },
        { day: '2024-05-01', state: 'Goa', total: 1 },
        { day: '2024-05-01', state: 'Kerala', total: 1 },
      ],
      access: {
        granted_by: 'subscription',
        territory: { restricted: true, states: ['Goa', 'Kerala'], districts: null, pincodes: null },
        date_window: { from: '2024-05-01', to: '2024-05-31', anchored_to_subscription: false },
      },
    })
    expect((await summary('to_date=2024-05-20&state=goa')).json().total).toBe(2)
    expect((await summary('')).json().total).toBe(0)
    for (const from of ['1600-01-01', '2024-04-20', '9999-12-31']) {
      expect((await summary(`from_date=${from}`)).json().total).toBe(from === '2024-04-20' ? 4 : 0)
    }
    for (const [query, status, code] of [
      ['state=Punjab', 403, 'TERRITORY_NOT_ENTITLED'],
      ['from_date=2024-05-02&to_date=2024-05-01', 422, 'UNPROCESSABLE'],
      ['from_date=2024-01-01&to_date=2024-05-01', 422, 'UNPROCESSABLE'],
      ['from_date=2024-02-30', 422, 'UNPROCESSABLE'],
      ['from_date=May', 400, 'BAD_REQUEST'],
    ] as const) {
      const refused = await summary(query)
      expect([query, refused.statusCode, refused.json().error_code]).toEqual([query, status, code])
    }
    const nobody = await newCustomer(api, database)
    expect((await api.get(`${feeds.company.path}/summary`, nobody.token)).json().error_code).toBe('NO_DATASET_ACCESS')
    expect((await api.get('/api/access', customer.token)).json().rate_limits.record_budget.used_today).toBe(0)
  })

  test('without an entitlement the refusal names the dataset and the reason', async () => {
    const customer = await newCustomer(api, database)
    for (const [dataset, { path }] of Object.entries(feeds)) {
      const reply = await api.post(path, customer.token, {})
      expect([reply.statusCode, reply.json()]).toEqual([
        403,
        {
          error_code: 'NO_DATASET_ACCESS',
          dataset: `recently_registered.${dataset}`,
          message: expect.any(String),
          reason: 'no_active_plan_grants_this_dataset',
          detail: expect.any(String),
          request_id: expect.any(String),
          doc_url: '/docs/errors#NO_DATASET_ACCESS',
        },
      ])
    }
  })

  test('filters narrow the page and the total alike', async () => {
    const stored = await addRegistrations(database.db, 'director', rows)
    const customer = await entitled('director', {})
    expect((await readAll(customer, 'director', { state: 'Kerala' })).total).toBe(3)
    expect((await readAll(customer, 'director', { district: 'Chennai, ludhiana' })).total).toBe(6)
    expect((await readAll(customer, 'director', { pincode: '403001' })).total).toBe(3)
    expect((await readAll(customer, 'director', { status: 'approved' })).total).toBe(12)
    expect((await readAll(customer, 'director', { status: 'Deactivated' })).total).toBe(0)
    const id = stored[4]?.identifier ?? ''
    expect(await readAll(customer, 'director', { search: id })).toMatchObject({ ids: [id], total: 1 })
    expect(await readAll(customer, 'director', { search: String(Number(id)) })).toMatchObject({ ids: [id] })
    expect((await readAll(customer, 'director', { search: `Record ${Number(id)}` })).ids).toEqual([id])
    expect((await readAll(customer, 'director', { search: '% _' })).total).toBe(0)
  })

  test('a body is not needed, and one without fields asks for the first ten', async () => {
    await addRegistrations(database.db, 'gst', rows)
    const customer = await entitled('gst', {})
    for (const reply of [
      await api.post(feeds.gst.path, customer.token),
      await api.post(feeds.gst.path, customer.token, {}),
      await api.post(feeds.gst.path, customer.token, undefined, { 'content-type': 'application/json' }),
    ]) {
      expect(reply.json()).toMatchObject({ total: 12, page: 1, limit: 10 })
      expect(reply.json().data).toHaveLength(10)
    }
  })

  test('records have the fields and casing of the specification', async () => {
    const customer = await newCustomer(api, database, { isEnterprise: true })
    const first = async (dataset: EntityType) => {
      await addRegistrations(database.db, dataset, rows.slice(0, 1))
      return (await api.post(feeds[dataset].path, customer.token, {})).json().data[0]
    }
    expect(Object.keys(await first('company'))).toEqual(
      `CIN company dateOfIncorporation companyType classOfCompany companyCategory mainDivision mainDivisionDescription
       city district state pincode`.split(/\s+/),
    )
    const director = await first('director')
    expect(Object.keys(director)).toEqual(
      `DIN firstName middleName lastName fullName DINApprovalDate DINStatus directorDisqualified district state
       postalCode country`.split(/\s+/),
    )
    expect(director.DINApprovalDate).toBe('2024-04-10T00:00:00')
    expect(await first('gst')).toMatchObject({
      DateOfRegistration: '2024-04-10T00:00:00',
      state: 'Goa',
      Status: 'Active',
    })
  })
})
