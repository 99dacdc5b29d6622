import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { savedScreeners } from '../../../src/api/operations/saved-screeners/index.ts'
import { screener } from '../../../src/api/operations/screener/index.ts'
import { boundedDb } from '../../../src/db/bounded-db.ts'
import { readFeed } from '../../../src/registry/feed/read-feed.ts'
import { filterCompanies } from '../../../src/registry/filters.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { waitingServersAreStopped } from '../../support/faketime-limits.ts'
import { insertCompany, insertGst, raiseVersion } from '../../support/registry-rows.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
let api: BareApi
const cin = (index: number) => `U85100GA2022PTC9${String(index).padStart(5, '0')}`

beforeAll(async () => {
  const { db } = database
  api = await bareApi({ db }, routesOf(screener), routesOf(savedScreeners))
  for (let index = 0; index < 25; index++) {
    await insertCompany(db, {
      cin: cin(index),
      name: `KONKAN UNIT ${index} PRIVATE LIMITED`,
      city: 'Panaji',
      state: 'Goa',
      status: 'Active',
      paid_up_capital: index * 100_000,
    })
  }
  await insertCompany(db, { cin: cin(99), name: 'GONE LIMITED', city: 'Panaji', state: 'Goa', closed_on: '2025-01-01' })
  await insertGst(db, {
    gstin: '27AAACR5055K1Z7',
    trade_name: 'Kaveri Mart',
    state: 'Maharashtra',
    status: 'Active',
    taxpayer_type: 'Regular',
  })
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = async (method: Method, url: string, payload?: object) => {
  const reply = await api.app.inject({ method, url, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json() }
}
const search = (payload: object) => call('POST', '/api/screener/search', payload)

describe('search', () => {
  test('a company search answers the specified fields, the exact total, page and pages', async () => {
    const { status, body } = await search({ type: 'company', query: "City == 'Panaji' AND paidUpCapital > 2300000" })
    expect(status).toBe(200)
    expect(body).toEqual({
      results: [
        {
          CIN: cin(24),
          companyName: 'KONKAN UNIT 24 PRIVATE LIMITED',
          State: 'Goa',
          City: 'Panaji',
          paidUpCapital: 2_400_000,
          llpStatus: 'Active',
        },
      ],
      total: 1,
      page: 1,
      pages: 1,
      next_cursor: null,
    })
  })

  test('a GST search answers the specified fields', async () => {
    const { body } = await search({ type: 'gst', query: "TradeName CONTAINS 'KAVERI'" })
    expect(body.results).toEqual([
      {
        GSTIN: '27AAACR5055K1Z7',
        TradeName: 'Kaveri Mart',
        state: 'Maharashtra',
        Status: 'Active',
        TaxpayerType: 'Regular',
      },
    ])
  })

  test('records that have left the register are not found', async () => {
    expect((await search({ type: 'company', query: "company == 'gone ltd'" })).body.total).toBe(0)
  })

  test('pages by number and by cursor give every record once, in the order of the identifier', async () => {
    const query = "City == 'Panaji'"
    const byNumber: string[] = []
    for (let page = 1; page <= 4; page++) {
      const { body } = await search({ type: 'company', query, page, limit: 8 })
      expect(body).toMatchObject({ total: 25, page, pages: 4 })
      byNumber.push(...body.results.map((hit: { CIN: string }) => hit.CIN))
    }
    expect(byNumber).toEqual(Array.from({ length: 25 }, (_, index) => cin(index)))

    const byCursor: string[] = []
    let cursor: string | undefined
    for (let page = 1; page <= 4; page++) {
      const { body } = await search({ type: 'company', query, limit: 8, ...(cursor && { cursor }) })
      expect(body).toMatchObject({ total: 25, page, pages: 4 })
      byCursor.push(...body.results.map((hit: { CIN: string }) => hit.CIN))
      cursor = body.next_cursor
    }
    expect(cursor).toBeNull()
    expect(byCursor).toEqual(byNumber)
  })

  test.each([
    ["City == 'PANAJI'", 25],
    ["City IN ['panaji', 'NOWHERE']", 25],
    ["State == 'Goa' AND NOT City != ' panaji.'", 25],
    ["City NOT IN ['PANAJI'] AND City == 'Panaji'", 0],
    ["City == ''", 0],
    ["City != '' AND City == 'panaji'", 25],
  ])('a place is found in capitals and in small letters: %s', async (query, total) => {
    expect((await search({ type: 'company', query })).body).toMatchObject({ total })
  })

  test('a page beyond the last one is empty and keeps the total', async () => {
    const { body } = await search({ type: 'company', query: "City == 'Panaji'", page: 9 })
    expect(body).toEqual({ results: [], total: 25, page: 9, pages: 3, next_cursor: null })
  })

  test('the cursor of another query and an invented one are refused', async () => {
    const { body } = await search({ type: 'company', query: "City == 'Panaji'" })
    const other = await search({ type: 'company', query: "City == 'Goa'", cursor: body.next_cursor })
    expect(other).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/another query/) } })
    expect((await search({ type: 'company', query: "City == 'Panaji'", cursor: 'nonsense' })).status).toBe(400)
  })

  test('null, which the last page hands out as its cursor, begins anew; a cursor with another limit is refused', async () => {
    const asked = { type: 'company', query: "City == 'Panaji'", limit: 8 }
    const { body } = await search(asked)
    expect((await search({ ...asked, cursor: null })).body).toEqual(body)
    const other = await search({ ...asked, limit: 9, cursor: body.next_cursor })
    expect([other.status, other.body.detail]).toEqual([400, expect.stringContaining('limit')])
  })

  test('the cursor goes on beyond page 1,000, each record once', async () => {
    await database.db.execute(
      `INSERT INTO registry.company (cin, name, name_key, city, company_type, first_run_id, last_run_id, as_of)
       SELECT 'U85100KL2020PTC' || lpad(n::text, 6, '0'), 'DEEP ' || n, 'deep ' || n, 'Kochi', 'Company', 1, 1, '2025-01-01'
       FROM generate_series(0, 1019) AS n`,
    )
    const asked = { type: 'company', query: "City == 'Kochi'", limit: 1 }
    expect((await search({ ...asked, page: 10_001 })).status).toBe(400)
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 1; page <= 1020; page++) {
      const { body } = await search({ ...asked, ...(cursor && { cursor }) })
      if (page % 100 === 0 || page > 1018) expect(body).toMatchObject({ total: 1020, page, pages: 1020 })
      for (const { CIN } of body.results) seen.add(CIN)
      cursor = body.next_cursor
    }
    expect([seen.size, cursor]).toEqual([1020, null])
  })

  test('page × limit beyond 10,000 names the cursor', async () => {
    const { status, body } = await search({ type: 'company', query: "City == 'Panaji'", page: 101, limit: 100 })
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringMatching(/cursor/) })
  })

  test.each([
    [{ type: 'company' }, 400],
    [{ query: "City == 'A'" }, 400],
    [{ type: 'director', query: "City == 'A'" }, 400],
    [{ type: 'company', query: 5 }, 400],
    [{ type: 'company', query: "City == 'A'", limit: 101 }, 400],
    [{ type: 'company', query: "City == 'A'", page: 0 }, 400],
    [{ type: 'company', query: "City == 'A'", page: '2' }, 400],
    [{ type: 'company', query: '' }, 422],
    [{ type: 'company', query: "city == 'A'" }, 422],
  ])('the body %j is answered %i', async (body, status) => {
    expect((await search(body)).status).toBe(status)
  })

  test('a total is counted anew once a merge has raised the version, and only then', async () => {
    const { db } = database
    const request = { type: 'company', query: "State == 'Kerala'", page: 1, limit: 10 } as const
    expect((await runScreener(db, request)).total).toBe(0)
    await insertCompany(db, { cin: 'U85100KL2022PTC900001', name: 'MALABAR LIMITED', state: 'Kerala' })
    expect((await runScreener(db, request)).total).toBe(0)
    await raiseVersion(db, 'company')
    expect(await runScreener(db, request)).toMatchObject({ total: 1, results: [{ companyName: 'MALABAR LIMITED' }] })
  })

  test.skipIf(!waitingServersAreStopped)(
    'a query that runs into the statement timeout is refused with a reason',
    async () => {
      await database.db.withConnection(async (other) => {
        await other.execute('BEGIN')
        await other.execute('LOCK TABLE registry.company IN ACCESS EXCLUSIVE MODE')
        const slow = runScreener(database.db, {
          type: 'company',
          query: 'NICCode == 1',
          page: 1,
          limit: 10,
          timeoutMs: 50,
        })
        await expect(slow).rejects.toMatchObject({
          code: 'QUERY_TOO_EXPENSIVE',
          httpStatus: 422,
          extra: { reason: 'statement_timeout', timeout_ms: 50 },
        })
        await other.execute('ROLLBACK')
      })
      const after = await runScreener(database.db, { type: 'company', query: 'NICCode == 1', page: 1, limit: 10 })
      expect(after.total).toBe(0)
    },
  )
})

test.skipIf(!waitingServersAreStopped)(
  'a read that is given less time than it asks for names the time that it had',
  async () => {
    const { db } = database
    const everything = { states: null, districts: null, pincodes: null, from: null, to: null }
    const bounds = { timeoutMs: 60, signal: new AbortController().signal, parallel: false, cancelThrough: db }
    await db.withConnection(async (other) => {
      await other.execute('BEGIN')
      await other.execute('LOCK TABLE registry.company IN ACCESS EXCLUSIVE MODE')
      const reads = [
        readFeed(boundedDb(db, bounds), 'company', {
          scopes: [everything],
          today: '2100-01-01',
          search: 'zuari',
          page: 1,
          limit: 10,
        }),
        filterCompanies(boundedDb(db, bounds), { city: 'Panaji', page: 1, limit: 10 }),
      ]
      for (const read of reads) {
        await expect(read).rejects.toMatchObject({
          message: expect.stringContaining('longer than 0.06 s'),
          extra: { reason: 'statement_timeout', timeout_ms: 60 },
        })
      }
      await other.execute('ROLLBACK')
    })
  },
)

describe('saved screeners', () => {
  const draft = { name: 'Panaji firms', type: 'company', query: "City == 'Panaji' AND paidUpCapital > 2200000" }
  const at = '/api/screener/screeners'
  const newAccount = async () => {
    const [account] = await database.db.query<{ id: string }>(
      `INSERT INTO access.account (email, username) VALUES ($1, 'asha') RETURNING account_id AS id`,
      [`${randomUUID()}@example.com`],
    )
    return account?.id ?? ''
  }

  beforeEach(async () => {
    api.accountId = await newAccount()
  })

  test('a screener is saved, listed, read, run, changed and deleted by its owner', async () => {
    const created = await call('POST', at, draft)
    expect(created).toMatchObject({ status: 201, body: { data: { ...draft, description: null } } })
    const { id } = created.body.data
    expect((await call('GET', at)).body.data).toEqual([created.body.data])
    expect((await call('GET', `${at}/${id}`)).body).toEqual(created.body)

    const run = await call('POST', `${at}/${id}/run?page=1&limit=1`)
    expect(run.body).toEqual({
      data: [
        {
          CIN: cin(23),
          company: 'KONKAN UNIT 23 PRIVATE LIMITED',
          City: 'Panaji',
          State: 'Goa',
          paidUpCapital: 2_300_000,
          llpStatus: 'Active',
        },
      ],
      total: 2,
      page: 1,
      limit: 1,
      screener: { id, ...draft },
      next_cursor: expect.any(String),
    })
    const next = await call('POST', `${at}/${id}/run?limit=1&cursor=${run.body.next_cursor}`)
    expect(next.body).toMatchObject({ data: [{ CIN: cin(24) }], page: 2, next_cursor: null })

    const changed = await call('PUT', `${at}/${id}`, { description: 'rich ones' })
    expect(changed.body.data).toEqual({ ...created.body.data, description: 'rich ones' })
    expect(await call('DELETE', `${at}/${id}`)).toEqual({ status: 200, body: { id, deleted: true } })
    expect((await call('GET', `${at}/${id}`)).status).toBe(404)
  })

  test('another account sees a 404 for every act, and the screener stays', async () => {
    const owner = api.accountId
    const { id } = (await call('POST', at, draft)).body.data
    api.accountId = await newAccount()
    for (const [method, url, body] of [
      ['GET', `${at}/${id}`, undefined],
      ['PUT', `${at}/${id}`, { name: 'mine' }],
      ['DELETE', `${at}/${id}`, undefined],
      ['POST', `${at}/${id}/run`, undefined],
    ] as const) {
      expect(await call(method, url, body)).toMatchObject({ status: 404, body: { error_code: 'NOT_FOUND' } })
    }
    expect((await call('GET', at)).body.data).toEqual([])
    api.accountId = owner
    expect((await call('GET', `${at}/${id}`)).body.data.name).toBe('Panaji firms')
  })

  test('an id of any shape that is unknown is a 404', async () => {
    for (const id of ['x', '00000000-0000-0000-0000-000000000000', "'; --"]) {
      expect((await call('POST', `${at}/${encodeURIComponent(id)}/run`)).status).toBe(404)
    }
  })

  test('a query that cannot be read is neither saved nor put in place of one that can', async () => {
    expect(await call('POST', at, { ...draft, query: "city == 'x'" })).toMatchObject({
      status: 422,
      body: { error_code: 'QUERY_SYNTAX', position: 0, suggestion: 'City' },
    })
    const { id } = (await call('POST', at, draft)).body.data
    expect((await call('PUT', `${at}/${id}`, { type: 'gst' })).status).toBe(422)
    expect((await call('GET', `${at}/${id}`)).body.data.type).toBe('company')
  })

  test('a saved query that can no longer be read is a 422 at its run', async () => {
    const [row] = await database.db.query<{ id: string }>(
      `INSERT INTO access.screener (account_id, name, type, query) VALUES ($1, 'old', 'gst', 'nonsense') RETURNING screener_id AS id`,
      [api.accountId],
    )
    expect(await call('POST', `${at}/${row?.id}/run`)).toMatchObject({
      status: 422,
      body: { error_code: 'QUERY_SYNTAX' },
    })
  })
})

test('the field list names kind, operators and known values of each field', async () => {
  const { body } = await call('GET', '/api/screener/fields?type=company')
  expect(body.data).toHaveLength(23)
  expect(body.data.find((each: { name: string }) => each.name === 'llpStatus')).toMatchObject({
    type: 'company',
    kind: 'text',
    operators: expect.arrayContaining(['==', 'IN', 'CONTAINS', 'IS NULL']),
    values: expect.arrayContaining(['Active', 'Struck Off']),
  })
})

test('the example of every field is a query that runs', async () => {
  const { body } = await call('GET', '/api/screener/fields')
  expect(body.data.length).toBeGreaterThan(25)
  for (const { type, example } of body.data) expect((await search({ type, query: example })).status).toBe(200)
})

test('explain gives the canonical text and the index that an identifier uses', async () => {
  const query = `CIN=='${cin(3)}' OR (CIN == '${cin(4)}')`
  const { status, body } = await call('POST', '/api/screener/explain', { type: 'company', query })
  expect(status).toBe(200)
  expect(body.canonical).toBe(`CIN == '${cin(3)}' OR CIN == '${cin(4)}'`)
  expect(body.indexes).toContain('company_pkey')
  expect(body.estimated_rows).toBeGreaterThan(0)
})
