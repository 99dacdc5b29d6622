/** What one asks of a feed: within the entitlement it narrows the rows, its days are clamped, and elsewhere it is refused. */
import { describe, expect, test } from 'vitest'
import { grantEntitlement } from '../../../src/access/grants.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'
import { districts, feeds, pincodes, states, useFeedReader } from './feed-reader.ts'

const database = useTestDatabase()
const api = useApi(database)
const readAll = useFeedReader(api)

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

  test('a place that the directory knows outside the lists of a grant alone is outside its territory', async () => {
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
      const finer = [
        [{ districts: ['North Goa'] }, { state: 'Maharashtra' }, 'state'],
        [{ districts: ['North Goa', 'Bordering'] }, { state: 'Maharashtra' }, null],
        [{ pincodes: ['403001'] }, { state: 'Maharashtra' }, 'state'],
        [{ pincodes: ['403001'] }, { district: 'Pune' }, 'district'],
        [{ pincodes: ['403001'] }, { district: 'NORTH GOA,Pune' }, 'district'],
        [{ pincodes: ['403001'] }, { state: 'Goa', district: 'north goa' }, null],
        // The directory does not say where these are.
        [{ pincodes: ['403999'] }, { state: 'Maharashtra' }, null],
        [{ pincodes: ['682001'] }, { state: 'Goa' }, null],
      ] as const
      for (const [scope, body, kind] of finer) {
        const reply = await api.post(feeds.company.path, (await entitled('company', scope)).token, body)
        const expected = kind === null ? [200, undefined] : [403, `${kind}_outside_entitled_territory`]
        expect([scope, body, reply.statusCode, reply.json().reason]).toEqual([scope, body, ...expected])
      }
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
    expect(all.json()).toMatchObject({
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
        grants: [{ date_window: { from: '2024-05-01', to: '2024-05-31' }, territory: { states: ['Goa', 'Kerala'] } }],
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

  test('a name is found by a piece of it and by its words in any order, and a GST registration by either name', async () => {
    const [director] = await addRegistrations(database.db, 'director', rows)
    const [taxpayer] = await addRegistrations(database.db, 'gst', rows)
    await database.db.execute(
      `UPDATE registry.director SET full_name = n, name_key = registry.name_key(n) FROM (VALUES ('Ramesh Kumar Sharma')) AS v (n) WHERE din = $1`,
      [director?.identifier],
    )
    await database.db.execute(
      `UPDATE registry.gst_taxpayer SET trade_name = 'Mandovi Stores', legal_name = 'ASHA NAIK',
         name_key = registry.name_key('Mandovi Stores') WHERE gstin = $1`,
      [taxpayer?.identifier],
    )
    const found = async (dataset: EntityType, search: string) =>
      (await readAll(await entitled(dataset, {}), dataset, { search })).ids
    for (const search of ['ramesh sharma', 'SHARMA, Ramesh', 'umar shar', 'Ramesh Kumar Sharma']) {
      expect(await found('director', search), search).toEqual([director?.identifier])
    }
    for (const search of ['mesh arma', 'ramesh shar', 'ramesh verma'])
      expect(await found('director', search)).toEqual([])
    for (const search of ['stores mandovi', 'Mandovi', 'asha naik', 'Naik Asha', 'sha nai']) {
      expect(await found('gst', search), search).toEqual([taxpayer?.identifier])
    }
    expect(await found('gst', 'asha stores')).toEqual([])
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
