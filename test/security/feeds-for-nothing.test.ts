/** Nobody gets for nothing what the feeds sell: trials have a window and a budget, and the registers tell no date that is sold. */
import { beforeAll, describe, expect, test } from 'vitest'
import { budgets, saleHorizonDays } from '../../config/plans.ts'
import { offers, trialDaysBefore } from '../../config/sales.ts'
import { grantEntitlement } from '../../src/access/grants.ts'
import { indianDayOf } from '../../src/domain/iso-date.ts'
import { type LoggedIn, newCustomer, useApi } from '../support/api.ts'
import { fillRegisters, known } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { insertCompany, insertGst } from '../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)

const dayMs = 86_400_000
const dayBefore = (days: number) => indianDayOf(new Date(Date.now() - days * dayMs))
const fresh = dayBefore(5)
const old = dayBefore(saleHorizonDays + 400)
const year = fresh.slice(0, 4)
const freshCin = `U85100GA${year}PTC015901`
const oldCin = 'U85100GA2019PTC015002'
const freshGstin = '30AAACQ1111Q1Z9'

beforeAll(async () => {
  const { db } = database
  await fillRegisters(db)
  await insertCompany(db, {
    cin: freshCin,
    name: 'NEWBORN TRADERS PRIVATE LIMITED',
    incorporated_on: fresh,
    state: 'Goa',
    city: 'Vasco',
    district: 'South Goa',
    pincode: '403802',
  })
  await insertCompany(db, {
    cin: oldCin,
    name: 'OLD TRADERS LIMITED',
    incorporated_on: old,
    state: 'Goa',
    city: 'Vasco',
  })
  await insertCompany(db, { cin: 'AAC-9999', name: 'UNDATED LLP', company_type: 'LLP', state: 'Goa', city: 'Vasco' })
  await insertGst(db, {
    gstin: freshGstin,
    trade_name: 'NEWBORN',
    status: 'Active',
    registered_on: fresh,
    state: 'Goa',
  })
})

describe('a free trial', () => {
  const trial = offers.find(({ price }) => price === 0)
  const activate = (token: string) => api.post(`/api/offers/${trial?.id}/activate`, token)

  test('has a window from 30 days before its start to its end, not anchored to it, and the feed keeps to it', async () => {
    expect(trialDaysBefore).toBe(30)
    const { token } = await newCustomer(api, database)
    expect((await activate(token)).statusCode).toBe(200)
    const { gst } = (await api.get('/api/access', token)).json().datasets.recently_registered
    const to = indianDayOf(new Date(Date.now() + (trial?.durationDays ?? 0) * dayMs))
    expect(gst.date_window).toEqual({ from: dayBefore(30), to, anchored_to_subscription: false })
    const feed = (await api.post('/api/recently-registered/gst', token, { from_date: '2017-07-01', limit: 100 })).json()
    expect(feed.data.map(({ GSTIN }: { GSTIN: string }) => GSTIN)).toEqual([freshGstin])
  })

  test('reads so many records a day as its budget says, exactly, however many calls come at once', async () => {
    const customer = await newCustomer(api, database)
    await grantEntitlement(database.db, {
      accountId: customer.accountId,
      dataset: 'company',
      grantedBy: 'offer',
      trial: true,
    })
    const limit = budgets.free.feedRecords ?? 0
    await database.db.execute(
      `INSERT INTO access.daily_usage (account_id, kind, day, used)
       VALUES ($1, 'feed_records', (now() AT TIME ZONE 'UTC')::date, $2)`,
      [customer.accountId, limit - 35],
    )
    const page = () => api.post('/api/recently-registered/companies', customer.token, { limit: 10 })
    const replies = await Promise.all(Array.from({ length: 12 }, page))
    const good = replies.filter(({ statusCode }) => statusCode === 200)
    expect(good).toHaveLength(3)
    for (const refused of replies.filter(({ statusCode }) => statusCode !== 200)) {
      expect([refused.statusCode, refused.json().error_code]).toEqual([429, 'RATE_LIMITED'])
      expect(refused.json()).toMatchObject({ budget: 'feed_records', limit })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    const small = await api.post('/api/recently-registered/companies', customer.token, { limit: 5 })
    expect([small.statusCode, small.headers['x-ratelimit-records-remaining']]).toEqual([200, '0'])
    const { rate_limits } = (await api.get('/api/access', customer.token)).json()
    expect(rate_limits.record_budget).toEqual({ used_today: limit, daily_limit: limit, remaining: 0 })
    expect((await api.post('/api/recently-registered/companies', customer.token, { limit: 1 })).statusCode).toBe(429)
  })

  test('pays for the records that came, not for those that were asked for; and a refused call for none', async () => {
    const { token } = await newCustomer(api, database)
    await activate(token)
    const reply = await api.post('/api/recently-registered/gst', token, { limit: 100 })
    expect([reply.json().data.length, reply.headers['x-ratelimit-records-remaining']]).toEqual([
      1,
      String((budgets.free.feedRecords ?? 0) - 1),
    ])
    expect((await api.post('/api/recently-registered/gst', token, { limit: 100, page: 900 })).json().data).toEqual([])
    expect((await api.post('/api/recently-registered/gst', token, { state: 'Nowhere' })).statusCode).toBe(422)
    const { record_budget } = (await api.get('/api/access', token)).json().rate_limits
    expect(record_budget.used_today).toBe(1)
  })

  test('does not narrow what was bought: a bought feed has the budget of its price, an enterprise none', async () => {
    const bought = await newCustomer(api, database)
    await grantEntitlement(database.db, {
      accountId: bought.accountId,
      dataset: 'gst',
      grantedBy: 'subscription',
    })
    const budgetOf = async (token: string) => (await api.get('/api/access', token)).json().rate_limits.record_budget
    expect((await budgetOf(bought.token)).daily_limit).toBe(budgets.premium.feedRecords)
    const enterprise = await newCustomer(api, database, { isEnterprise: true })
    expect((await api.post('/api/recently-registered/gst', enterprise.token, {})).statusCode).toBe(200)
    expect(await budgetOf(enterprise.token)).toEqual({ used_today: 10, daily_limit: null, remaining: null })
  })
})

describe('dates of registration in the screener', () => {
  const search = async ({ token }: LoggedIn, query: string, type = 'company') =>
    api.post('/api/screener/search', token, { type, query, limit: 100 })
  const found = async (customer: LoggedIn, query: string, type = 'company'): Promise<string[]> => {
    const reply = await search(customer, query, type)
    expect([query, reply.statusCode]).toEqual([query, 200])
    const hits: { CIN?: string; GSTIN?: string }[] = reply.json().results
    expect(reply.json().total).toBe(hits.length)
    return hits.map(({ CIN, GSTIN }) => CIN ?? GSTIN ?? '')
  }
  const premium = () => newCustomer(api, database, { plan: 'premium' })
  const asFeed = (customer: LoggedIn, more: object = {}) =>
    grantEntitlement(database.db, {
      accountId: customer.accountId,
      dataset: 'company',
      grantedBy: 'subscription',
      ...more,
    })

  /** Every way to tell a young record by its date that somebody thought of. */
  const telling = [
    `dateOfIncorporation > '2020-01-01'`,
    `dateOfIncorporation >= '1900-01-01'`,
    `dateOfIncorporation != '2020-01-01'`,
    `dateOfIncorporation NOT IN ['2020-01-01', '2020-01-02']`,
    `NOT dateOfIncorporation < '2020-01-01'`,
    `NOT dateOfIncorporation <= '2020-01-01'`,
    `NOT (dateOfIncorporation BETWEEN '1900-01-01' AND '2020-01-01')`,
    `dateOfIncorporation BETWEEN '2020-01-01' AND '2099-01-01'`,
    `dateOfIncorporation IN ['2020-01-01', '${fresh}']`,
    `dateOfIncorporation IS NOT NULL`,
    `NOT dateOfIncorporation IS NULL`,
    `NOT (NOT dateOfIncorporation > '2020-01-01')`,
    `NOT (dateOfIncorporation == '2020-01-01' OR dateOfIncorporation < '2019-01-01')`,
    `CIN CONTAINS '${year}PTC'`,
    `CIN CONTAINS '${year}'`,
    `CIN STARTS_WITH 'U85100GA${year}'`,
    `CIN STARTS_WITH '${freshCin}'`,
    `CIN ENDS_WITH '${freshCin.slice(8)}'`,
    `CIN ENDS_WITH '015901'`,
    `NOT CIN CONTAINS '2022'`,
    `CIN IN [${Array.from({ length: 40 }, (_, n) => `'${freshCin.slice(0, 15)}0159${String(n).padStart(2, '0')}'`).join(', ')}]`,
    Array.from({ length: 40 }, (_, n) => `CIN == '${freshCin.slice(0, 15)}0159${String(n).padStart(2, '0')}'`).join(
      ' OR ',
    ),
  ]

  const titled = telling.map((query) => [query.slice(0, 80), query] as const)

  test.each(titled)('do not find a record that the feed sells: %s', async (_, query) => {
    const customer = await premium()
    const reply = await search(customer, `City == 'Vasco' AND (${query})`)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toContain(freshCin)
    expect(reply.json().notice).toContain('recently_registered.company')
  })

  test.each(titled)('and answer the same whatever day of the sale horizon the record has: %s', async (_, query) => {
    const customer = await premium()
    const asked = `City == 'Vasco' AND (${query})`
    const before = await found(customer, asked)
    const move = async (day: string) => {
      await database.db.execute('UPDATE registry.company SET incorporated_on = $2 WHERE cin = $1', [freshCin, day])
      await database.db.execute(
        `INSERT INTO registry.version (entity, version) VALUES ('company', 1)
         ON CONFLICT (entity) DO UPDATE SET version = registry.version.version + 1`,
      )
    }
    await move(dayBefore(saleHorizonDays - 1))
    const after = await found(customer, asked)
    await move(fresh)
    expect(after).toEqual(before)
  })

  test('are refused with the dataset where only sold records could satisfy them', async () => {
    const customer = await newCustomer(api, database)
    for (const query of [
      `dateOfIncorporation >= '${dayBefore(10)}'`,
      `dateOfIncorporation == '${fresh}'`,
      `dateOfIncorporation IN ['${fresh}', '${dayBefore(2)}']`,
      `NOT dateOfIncorporation < '${dayBefore(10)}'`,
      `dateOfIncorporation BETWEEN '${dayBefore(10)}' AND '${dayBefore(1)}'`,
      `State == 'Goa' OR dateOfIncorporation > '${dayBefore(10)}'`,
    ]) {
      const reply = await search(customer, query)
      expect([query, reply.statusCode, reply.json()]).toMatchObject([
        query,
        403,
        {
          error_code: 'NO_DATASET_ACCESS',
          dataset: 'recently_registered.company',
          reason: 'no_active_plan_grants_this_dataset',
          message: expect.any(String),
          detail: expect.any(String),
        },
      ])
    }
    const gst = await search(customer, `DateOfRegistration >= '${dayBefore(10)}'`, 'gst')
    expect([gst.statusCode, gst.json().dataset]).toEqual([403, 'recently_registered.gst'])
  })

  test('work for old dates without any dataset, and what asks for no date works as before, without a notice', async () => {
    const customer = await premium()
    const goa = `City == 'Vasco'`
    for (const [query, expected] of [
      [`${goa} AND dateOfIncorporation < '${dayBefore(saleHorizonDays + 1)}'`, [oldCin]],
      [`${goa} AND dateOfIncorporation == '${old}'`, [oldCin]],
      [`${goa} AND dateOfIncorporation IS NULL`, ['AAC-9999']],
      [`${goa} AND CIN CONTAINS '2019'`, [oldCin]],
      [`${goa} AND NOT CIN CONTAINS '2022'`, ['AAC-9999', oldCin]],
    ] as const) {
      expect([query, await found(customer, query)]).toEqual([query, expected])
    }
    for (const query of [
      goa,
      `${goa} AND CIN STARTS_WITH 'U851'`,
      `${goa} AND CIN CONTAINS 'PTC'`,
      `CIN == '${freshCin}'`,
    ]) {
      const reply = await search(customer, query)
      expect([query, reply.body.includes(freshCin), reply.json().notice]).toEqual([query, true, undefined])
    }
  })

  test('see what the account is entitled to: everything nationwide, its territory and its window otherwise', async () => {
    const [nationwide, goa, kerala, past, enterprise] = await Promise.all([
      premium(),
      premium(),
      premium(),
      premium(),
      newCustomer(api, database, { isEnterprise: true }),
    ])
    await asFeed(nationwide)
    await asFeed(goa, { states: ['Goa'], districts: ['south goa'] })
    await asFeed(kerala, { states: ['Kerala'] })
    await asFeed(past, { to: dayBefore(20) })
    const query = `City == 'Vasco' AND dateOfIncorporation >= '${dayBefore(10)}'`
    expect(await found(nationwide, query)).toEqual([freshCin])
    expect((await search(nationwide, query)).json().notice).toBeUndefined()
    expect(await found(enterprise, query)).toEqual([freshCin])
    expect(await found(goa, query)).toEqual([freshCin])
    expect(await found(kerala, query)).toEqual([])
    expect(await found(past, query)).toEqual([])
    expect((await search(kerala, query)).json().notice).toContain('recently_registered.company')
  })

  test('of one account are never answered with the total of another', async () => {
    const [entitled, other] = [await premium(), await premium()]
    await asFeed(entitled)
    const query = `City == 'Vasco' AND dateOfIncorporation >= '2019-01-01'`
    const totals = []
    for (const customer of [entitled, other, entitled, other]) totals.push((await found(customer, query)).length)
    expect(totals).toEqual([2, 1, 2, 1])
  })

  test('go on by the cursor of whoever is entitled to the same; that of another account is refused, not read from a wrong place', async () => {
    const [goa, same, kerala] = [await premium(), await premium(), await premium()]
    for (const customer of [goa, same]) await asFeed(customer, { states: ['Goa'] })
    await asFeed(kerala, { states: ['Kerala'] })
    const asked = { type: 'company', query: `City == 'Vasco' AND dateOfIncorporation >= '2019-01-01'`, limit: 1 }
    const page = ({ token }: LoggedIn, cursor?: string) =>
      api.post('/api/screener/search', token, { ...asked, ...(cursor && { cursor }) })
    const first = (await page(goa)).json()
    expect([first.results.map(({ CIN }: { CIN: string }) => CIN), first.total]).toEqual([[oldCin], 2])
    for (const customer of [goa, same]) {
      const { results, page: number } = (await page(customer, first.next_cursor)).json()
      expect([results.map(({ CIN }: { CIN: string }) => CIN), number]).toEqual([[freshCin], 2])
    }
    const foreign = await page(kerala, first.next_cursor)
    expect([foreign.statusCode, foreign.json().detail]).toEqual([400, expect.stringMatching(/another query, limit or/)])
  })

  test('tell by no difference of counts how many records are new: beyond a page totals are rounded, and facets always', async () => {
    const { db } = database
    const insert = (sequence: number, day: string) =>
      insertCompany(db, {
        cin: `U85100GA2019PTC${String(sequence).padStart(6, '0')}`,
        name: `COUNTED ${sequence} LIMITED`,
        incorporated_on: day,
        state: 'Goa',
        city: 'Canacona',
      })
    for (let n = 0; n < 105; n++) await insert(16_000 + n, dayBefore(saleHorizonDays + 20))
    const [other, entitled] = [await premium(), await premium()]
    await asFeed(entitled)
    const horizon = dayBefore(saleHorizonDays)
    const queries = [
      `dateOfIncorporation < '${horizon}'`,
      `dateOfIncorporation >= '1900-01-01'`,
      `NOT dateOfIncorporation >= '${horizon}'`,
      `dateOfIncorporation IS NOT NULL`,
      `CIN CONTAINS '2019'`,
    ].map((query) => `City == 'Canacona' AND (${query})`)
    const countsOf = async (customer: LoggedIn) => {
      const counts = []
      for (const query of queries) {
        const { total, pages } = (await search(customer, query)).json()
        const { found } = (
          await api.post('/api/orders/quote', customer.token, { query, type: 'company', limit: 1 })
        ).json()
        const { facets } = (await api.post('/api/screener/facets', customer.token, { type: 'company', query })).json()
        const whole = { query, type: 'company', limit: 1_000 }
        const { types, credits_held } = (await api.post('/api/orders/quote', customer.token, whole)).json()
        expect([types[0].exist, types[0].credits_held, credits_held]).toEqual(Array(3).fill(types[0].asked))
        counts.push([total, pages, found, facets[0].values[0].records, types[0].asked])
      }
      return counts
    }
    expect(await countsOf(other)).toEqual(queries.map(() => [200, 2, 200, 200, 200]))
    const known = await countsOf(entitled)
    expect(known).toEqual(queries.map(() => [105, 2, 105, 105, 105]))
    await insert(16_105, dayBefore(saleHorizonDays + 20))
    await insert(16_106, dayBefore(3))
    expect(await countsOf(other)).toEqual(queries.map(() => [200, 2, 200, 200, 200]))
    const used = async ({ accountId }: LoggedIn) =>
      (
        await db.query<{ used: number }>(
          `SELECT used FROM access.daily_usage WHERE account_id = $1 AND kind = 'quoted_items'`,
          [accountId],
        )
      )[0]?.used
    expect([await used(other), await used(entitled)]).toEqual([10 * 201, 5 * 106])
    // What asks for no recent day is counted exactly, and so is what one page shows.
    const of = async (query: string) => (await search(other, query)).json().total
    expect(await of(`City == 'Canacona'`)).toBe(107)
    expect(await of(`City == 'Canacona' OR dateOfIncorporation == '1985-01-01'`)).toBe(107)
    expect(await of(`City == 'Vasco' AND dateOfIncorporation >= '2019-01-01'`)).toBe(1)
    // A register without such days has nothing to tell, and every count of it is exact.
    const kept = await db.query<{ cin: string }>(
      `UPDATE registry.company SET incorporated_on = incorporated_on - 400
       WHERE incorporated_on >= $1::date RETURNING cin`,
      [horizon],
    )
    expect((await countsOf(other)).map((counts) => counts.at(-1))).toEqual(queries.map(() => 107))
    await db.query('UPDATE registry.company SET incorporated_on = incorporated_on + 400 WHERE cin = ANY ($1)', [
      kept.map(({ cin }) => cin),
    ])
    await db.execute(`DELETE FROM registry.company WHERE city = 'Canacona'`)
  })

  test('are bound in saved screeners and explanations too', async () => {
    const customer = await premium()
    const save = (query: string) =>
      api.post('/api/screener/screeners', customer.token, { name: 'Young', type: 'company', query })
    const run = async (query: string) => {
      const { id } = (await save(query)).json().data
      return api.post(`/api/screener/screeners/${id}/run`, customer.token)
    }
    const cut = await run(`City == 'Vasco' AND dateOfIncorporation > '2019-01-01'`)
    expect([cut.statusCode, cut.json().total, cut.body.includes(freshCin)]).toEqual([200, 1, false])
    expect(cut.json().notice).toContain('recently_registered.company')
    expect((await run(`dateOfIncorporation > '${dayBefore(10)}'`)).statusCode).toBe(403)
    const explained = await api.post('/api/screener/explain', customer.token, {
      type: 'company',
      query: `dateOfIncorporation > '${dayBefore(10)}'`,
    })
    expect(explained.statusCode).toBe(403)
  })
})

test('a standing order, which tells by the day what was registered, looks only at what the account’s feeds sell', async () => {
  const outsider = await newCustomer(api, database, { plan: 'premium' })
  const entitled = await newCustomer(api, database, { plan: 'premium' })
  await grantEntitlement(database.db, {
    accountId: entitled.accountId,
    dataset: 'company',
    grantedBy: 'subscription',
  })
  const previewed = async ({ token }: LoggedIn) => {
    const body = { name: 'Young', type: 'company', query: `City == 'Vasco'`, budget: { day: 5, month: 50, run: 5 } }
    const made = await api.post('/api/standing-orders', token, body)
    expect(made.statusCode).toBe(201)
    const path = `/api/standing-orders/${made.json().standing_order_id}/preview?day=${fresh}`
    const { days, rows } = (await api.get(path, token)).json()
    const matches = days.reduce((sum: number, day: { matches: number }) => sum + day.matches, 0)
    return [matches, rows.map(({ number }: { number: string }) => number)]
  }
  expect(await previewed(outsider)).toEqual([0, []])
  expect(await previewed(entitled)).toEqual([1, [freshCin]])
})

test('a date of birth cannot be narrowed below its calendar year', async () => {
  const { token } = await newCustomer(api, database, { plan: 'premium' })
  const total = async (from: string, to: string) =>
    (
      await api.get(`/api/company/director-filter?din=${known.din}&dateOfBirthFrom=${from}&dateOfBirthTo=${to}`, token)
    ).json().total_results
  // Born 1980-02-14.
  expect(await total('1980-02-14', '1980-02-14')).toBe(1)
  expect(await total('1980-01-01', '1980-01-01')).toBe(1)
  expect(await total('1980-12-31', '1980-12-31')).toBe(1)
  expect(await total('1981-01-01', '1990-12-31')).toBe(0)
  expect(await total('1970-01-01', '1979-12-31')).toBe(0)
})
