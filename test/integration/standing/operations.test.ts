/** Standing orders over HTTP: in the words of the contract, switched, decided, previewed, within quotas, and by a key of one budget. */
import { beforeAll, expect, test } from 'vitest'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { gatherRun } from '../../../src/standing/gather-run.ts'
import { readStanding } from '../../../src/standing/standing-order.ts'
import { type LoggedIn, logInCustomer, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { addCredits, waitingStanding } from '../../support/api-world.ts'
import { cinOf, companies } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { insertCompany, insertContact } from '../orders/world.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const api = useApi(database)
const ingest = useIngest(database)
const world = standingWorld(database, ingest)
const buyer = async (credits = 50): Promise<LoggedIn> => {
  const made = await newCustomer(api, database, { isEnterprise: true })
  await addCredits(database.db, made.accountId, credits)
  return made
}
const asked = {
  name: 'New in Goa',
  type: 'company',
  query: "State == 'Goa'",
  budget: { day: 20, month: 400, run: 20 },
}
const patch = (url: string, token: string, payload: object) =>
  api.app.inject({ method: 'PATCH', url, payload, headers: { authorization: `Bearer ${token}` } })
beforeAll(async () => {
  await world.day(companies(1, 1))
  await world.reachable(1, 40)
})

test('one is made, changed, switched and ended in the words of the contract, and each step is in the audit log', async () => {
  const { token, accountId } = await buyer()
  const made = await api.post('/api/standing-orders', token, asked)
  expect(made.statusCode, made.body).toBe(201)
  const { standing_order_id: id } = made.json()
  expect(made.json()).toMatchObject({
    ...{ standing_order_id: expect.any(String), name: asked.name, state: 'draft', reason: null, query: asked.query },
    ...{ budget: asked.budget, spent: { day: 0, month: 0, total: 0 }, delivery: { destinations: [] } },
  })
  const path = `/api/standing-orders/${id}`
  const act = async (name: string, body: object = {}) => {
    const reply = await api.post(`${path}/${name}`, token, body)
    return [reply.statusCode, reply.json().state, reply.json().reason]
  }
  expect(await act('pause')).toEqual([409, undefined, undefined])
  expect(await act('resume')).toEqual([200, 'active', null])
  expect(await act('pause', { reason: 'stock-taking' })).toEqual([200, 'paused', 'stock-taking'])
  expect(await act('resume')).toEqual([200, 'active', null])
  const changed = await patch(path, token, { query: "State == 'Kerala'", budget: { day: 1, month: 2, run: 1 } })
  expect(changed.json()).toMatchObject({ version: 2, query: "State == 'Kerala'", budget: { day: 1, month: 2, run: 1 } })
  expect((await patch(path, token, { budget: { day: 5, month: 2, run: 1 } })).statusCode).toBe(422)
  expect((await patch('/api/standing-orders', token, { state: 'paused' })).json()).toEqual({ paused: 1 })
  expect(await act('end')).toEqual([200, 'ended', null])
  expect(await act('resume')).toEqual([409, undefined, undefined])
  expect((await api.get('/api/standing-orders', token)).json()).toMatchObject({
    data: [{ standing_order_id: id, state: 'ended' }],
    total: 1,
  })
  const steps = await database.db.query<{ action: string }>(
    `SELECT action FROM access.audit WHERE subject = $1 AND actor = $2 ORDER BY audit_id`,
    [id, `account:${accountId}`],
  )
  expect(steps.map(({ action }) => action.split(' ')[0])).toEqual([
    'create',
    'resume',
    'pause',
    'resume',
    'change',
    'pause',
    'end',
  ])
})

test('a budget has all of day, month and run, or nothing is made', async () => {
  const { token } = await buyer()
  for (const budget of [undefined, null, {}, { day: 5, month: 50 }, { day: 0, month: 50, run: 5 }]) {
    const reply = await api.post('/api/standing-orders', token, { ...asked, budget })
    expect([reply.statusCode >= 400, reply.statusCode < 500]).toEqual([true, true])
  }
  expect((await api.get('/api/standing-orders', token)).json().total).toBe(0)
})

test('twenty of an account are switched on at a time; a pause makes room for the next', async () => {
  const { token } = await newCustomer(api, database)
  const ids: string[] = []
  for (let n = 0; n <= 20; n++) {
    ids.push((await api.post('/api/standing-orders', token, { ...asked, name: `${n}` })).json().standing_order_id)
  }
  const resume = (n: number) => api.post(`/api/standing-orders/${ids[n]}/resume`, token, {})
  for (let n = 0; n < 20; n++) expect((await resume(n)).statusCode).toBe(200)
  expect([(await resume(20)).statusCode, (await resume(20)).json().limit]).toEqual([409, 20])
  await api.post(`/api/standing-orders/${ids[0]}/pause`, token, {})
  expect((await resume(20)).statusCode).toBe(200)
  expect((await resume(0)).statusCode).toBe(409)
})

test('a run that waits shows its figures and a sample, and is approved once or skipped once', async () => {
  const { token, accountId } = await buyer()
  const order = await world.activeOf(accountId, {}, false)
  await world.day(companies(2, 4))
  const path = `/api/standing-orders/${order.standingOrderId}`
  const [run] = (await api.get(`${path}/runs`, token)).json().data
  expect(run).toMatchObject({ state: 'needs_approval', reason: 'first_run', matches: 3, bought: 0, usual: null })
  expect(run.sample.map(({ number }: { number: string }) => number)).toEqual([2, 3, 4].map(cinOf))
  expect((await api.post(`${path}/approve`, token, { run_id: run.run_id })).json()).toMatchObject({
    ...{ state: 'open', decided_by: 'you' },
  })
  expect((await api.post(`${path}/approve`, token, { run_id: run.run_id })).statusCode).toBe(409)
  expect((await api.post(`${path}/skip`, token, {})).statusCode).toBe(409)
  expect(await world.buy()).toBe(3)
  expect((await api.get(path, token)).json().spent).toEqual({ day: 3, month: 3, total: 3 })
  await database.db.execute('UPDATE orders.standing_order SET state = $1', ['ended'])
})

test('a preview tells the last 30 days one by one: matches, by channel, price, what the budgets cut, and the rows of one day', async () => {
  const { token, accountId } = await buyer()
  const [{ today } = { today: '' }] = await database.db.query<{ today: string }>(
    'SELECT runtime.indian_day(now()) AS today',
  )
  const dayBack = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
  // Days back -> how many were registered; every third has no contact, every second of the others a mobile number.
  const registered = new Map([
    [0, 3],
    [1, 9],
    [2, 1],
    [3, 6],
    [12, 6],
    [13, 6],
    [29, 4],
    [30, 50],
  ])
  let serial = 700_000
  const expected = new Map<string, { matches: number; mobile: number; email: number; rows: string[] }>()
  for (const [back, count] of registered) {
    const told = { matches: 0, mobile: 0, email: 0, rows: [] as string[] }
    for (let n = 0; n < count; n++) {
      const cin = cinOf(++serial)
      await insertCompany(database.db, cin, {
        ...{ state: 'Lakshadweep', incorporated_on: dayBack(back), name: `P ${serial}`, status: 'Active' },
      })
      told.matches += 1
      told.rows.push(cin)
      if (n % 3 === 0) continue
      const reach = n % 2 === 0 ? { mobile: `+9198${10_000_000 + serial}` } : { email: `p${serial}@example.in` }
      await insertContact(database.db, 'company', cin, reach)
      told[n % 2 === 0 ? 'mobile' : 'email'] += 1
    }
    if (back < 30) expected.set(dayBack(back), told)
  }
  const budget = { day: 4, month: 9, run: 3 }
  const body = { ...asked, query: "State == 'Lakshadweep'", budget }
  const { standing_order_id: id } = (await api.post('/api/standing-orders', token, body)).json()
  const path = `/api/standing-orders/${id}/preview`
  const preview = (await api.get(`${path}?day=${dayBack(1)}`, token)).json()
  expect(preview.days.map(({ day }: { day: string }) => day)).toEqual(
    Array.from({ length: 30 }, (_, index) => dayBack(29 - index)),
  )
  const spentIn = new Map<string, number>()
  for (const day of preview.days) {
    const { matches, mobile, email } = expected.get(day.day) ?? { matches: 0, mobile: 0, email: 0 }
    const month = day.day.slice(0, 7)
    const price = Math.max(0, Math.min(mobile + email, 3, 4, 9 - (spentIn.get(month) ?? 0)))
    spentIn.set(month, (spentIn.get(month) ?? 0) + price)
    expect(day).toEqual({
      ...{ day: day.day, matches, with_mobile: mobile, with_email: email, price },
      over_budget: mobile + email - price,
    })
  }
  expect(preview.rows.map(({ number }: { number: string }) => number).toSorted()).toEqual(
    expected.get(dayBack(1))?.rows.toSorted(),
  )
  expect((await api.get(`${path}?day=${dayBack(40)}`, token)).json().rows).toEqual([])
  // Who writes one sees the same before it is kept.
  const written = await api.post('/api/standing-orders/preview', token, { ...body, day: dayBack(1) })
  expect([written.statusCode, written.json()]).toEqual([200, preview])
  expect((await api.get('/api/standing-orders', token)).json().total).toBe(1)
  // Nothing was found, reserved or switched on by looking.
  const left = await database.db.query('SELECT FROM orders.standing_match WHERE standing_order_id = $1', [id])
  expect([left, (await readStanding(database.db, accountId, id)).state]).toEqual([[], 'draft'])
})

test('the list shows what each found in the last 30 days, today last', async () => {
  const { token, accountId } = await buyer()
  const order = await world.activeOf(accountId)
  const still = await world.activeOf(accountId, { name: 'Still', query: "State == 'Sikkim'" })
  await world.day(companies(31, 33))
  const daysAgo = (days: number) =>
    database.db.execute(
      `UPDATE orders.standing_run SET created_at = created_at - make_interval(days => $2) WHERE standing_order_id = $1`,
      [order.standingOrderId, days],
    )
  const listed = async () => {
    const { data } = (await api.get('/api/standing-orders', token)).json()
    return new Map<string, number[]>(
      data.map((each: { standing_order_id: string; matches_by_day: number[] }) => [
        each.standing_order_id,
        each.matches_by_day,
      ]),
    )
  }
  const none = Array.from({ length: 30 }, () => 0)
  expect(await listed()).toEqual(
    new Map([
      [order.standingOrderId, none.with(29, 3)],
      [still.standingOrderId, none],
    ]),
  )
  await daysAgo(29)
  expect((await listed()).get(order.standingOrderId)).toEqual(none.with(0, 3))
  await daysAgo(1)
  expect((await listed()).get(order.standingOrderId)).toEqual(none)
  await patch('/api/standing-orders', token, { state: 'paused' })
})

test('a preview of an account with a grant, and of a watchlist, shows what its import would bring it', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const states = ['Ladakh']
  await grantEntitlement(database.db, { accountId, dataset: 'company', grantedBy: 'subscription', states })
  const [inside, outside] = [cinOf(710_001), cinOf(710_002)]
  const [row] = await database.db.query<{ today: string }>('SELECT runtime.indian_day(now()) AS today')
  const registered = { status: 'Active', incorporated_on: row?.today ?? '', name: 'New' }
  await insertCompany(database.db, inside, { ...registered, state: 'Ladakh' })
  await insertCompany(database.db, outside, { ...registered, state: 'Sikkim' })
  const query = "State IN ['Ladakh', 'Sikkim']"
  const entities = [{ identifier: inside, name: 'New' }]
  const list = { name: 'Watched', watchlist_type: 'company', entities }
  const watchlist_id = (await api.post('/api/watchlist', token, list)).json().data.id
  for (const asks of [{ query }, { source: 'watchlist', query: null, watchlist_id }]) {
    const made = await api.post('/api/standing-orders', token, { ...asked, ...asks })
    const preview = await api.get(
      `/api/standing-orders/${made.json().standing_order_id}/preview?day=${row?.today}`,
      token,
    )
    expect(preview.statusCode, preview.body).toBe(200)
    expect(preview.json().days.at(-1)).toMatchObject({ day: row?.today, matches: 1 })
    expect(preview.json().rows.map(({ number }: { number: string }) => number)).toEqual([inside])
  }
})

test('one of an account whose plans open no new registrations says so, until one does', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const idOf = async (over: object) =>
    (await api.post('/api/standing-orders', token, { ...asked, ...over })).json().standing_order_id
  const [companyId, gstId] = [await idOf({}), await idOf({ type: 'gst', source: 'feed', query: null })]
  const notices = () =>
    Promise.all(
      [companyId, gstId].map(async (id) => (await api.get(`/api/standing-orders/${id}`, token)).json().notice),
    )
  expect(await notices()).toEqual([expect.stringContaining('companies'), expect.stringContaining('GST registrations')])
  await grantEntitlement(database.db, { accountId, dataset: 'company', grantedBy: 'subscription', states: ['Goa'] })
  expect(await notices()).toEqual([null, expect.stringContaining('GST registrations')])
})

test('a key that is bound to a standing order acts on that one within its budget, and can neither raise it nor order by hand', async () => {
  const owner = await buyer()
  const mine = await waitingStanding(database.db, owner.accountId)
  const other = (await api.post('/api/standing-orders', owner.token, asked)).json().standing_order_id
  const strangers = (await api.post('/api/standing-orders', (await buyer()).token, asked)).json().standing_order_id
  const make = (body: object) => api.post('/api/keys', owner.token, body)
  expect((await make({ standing_order_id: strangers })).statusCode).toBe(404)
  expect((await make({ standing_order_id: mine, scopes: ['read', 'order', 'deliver'] })).statusCode).toBe(422)
  const made = await make({ name: 'night shift', standing_order_id: mine })
  expect(made.json()).toMatchObject({ scopes: ['read', 'order'], standing_order_id: mine })
  const bound = await logInCustomer(api, { accountId: owner.accountId, apiKey: made.json().api_key })
  const refused = async (reply: Promise<{ statusCode: number; json(): { error_code?: string } }>) => {
    const { statusCode, json } = await reply
    return [statusCode, json().error_code]
  }
  const path = `/api/standing-orders/${mine}`
  const missing = [403, 'SCOPE_MISSING']
  expect(await refused(patch(path, bound.token, { budget: { day: 900, month: 900, run: 900 } }))).toEqual(missing)
  expect(await refused(api.post('/api/standing-orders', bound.token, asked))).toEqual(missing)
  expect(await refused(patch('/api/standing-orders', bound.token, { state: 'paused' }))).toEqual(missing)
  expect(await refused(api.post(`/api/standing-orders/${other}/resume`, bound.token, {}))).toEqual(missing)
  expect(await refused(api.post(`/api/standing-orders/${strangers}/pause`, bound.token, {}))).toEqual(missing)
  const items = [{ type: 'company', name: 'X', number: cinOf(2) }]
  const byHand = { orderName: 'By hand', paymentOption: 'credits', items }
  expect(await refused(api.post('/api/orders/normal', bound.token, byHand))).toEqual(missing)
  // What it may: look, decide, stop and go on.
  expect((await api.get(path, bound.token)).statusCode).toBe(200)
  expect((await api.get(`${path}/runs`, bound.token)).statusCode).toBe(200)
  expect(
    (
      await api.post(
        `${path.toUpperCase().replace('/API/STANDING-ORDERS', '/api/standing-orders')}/skip`,
        bound.token,
        {},
      )
    ).statusCode,
  ).toBe(200)
  expect((await api.post(`${path}/pause`, bound.token, {})).json().state).toBe('paused')
  expect((await api.post(`${path}/resume`, bound.token, {})).json().state).toBe('active')
  // One that takes its place is bound like it, and so is a session that was open when another key was bound.
  const next = (await make({ replaces: made.json().prefix })).json()
  expect(next).toMatchObject({ standing_order_id: mine, scopes: ['read', 'order'] })
  const listed = await api.get('/api/keys', owner.token)
  expect(listed.json().data.map((key: { standing_order_id: string | null }) => key.standing_order_id)).toEqual([
    mine,
    mine,
    null,
  ])
  expect((await api.post('/api/orders/normal', owner.token, byHand)).statusCode).toBe(201)
})

test('operators see the standing orders of all accounts, and stop them all at once', async () => {
  const [one, two] = [await buyer(), await buyer()]
  const made = [await world.activeOf(one.accountId), await world.activeOf(two.accountId)]
  const listed = await api.get('/admin/standing-orders?limit=100', operatorToken)
  expect(listed.json().data).toEqual(
    expect.arrayContaining(
      made.map(({ standingOrderId: standing_order_id, accountId: user_id }) =>
        expect.objectContaining({ standing_order_id, user_id, state: 'active' }),
      ),
    ),
  )
  await world.day(companies(10, 12))
  expect((await world.openRuns()).length).toBeGreaterThan(0)
  const stopped = await patch('/admin/standing-orders', operatorToken, { state: 'paused', reason: 'wrong file' })
  expect(stopped.json().paused).toBeGreaterThanOrEqual(2)
  expect(await world.openRuns()).toEqual([])
  const resumed = await api.post(`/api/standing-orders/${made[0]?.standingOrderId}/resume`, one.token, {})
  expect([resumed.statusCode, resumed.json().error_code]).toEqual([409, 'CONFLICT'])
  expect(await database.db.transaction((tx) => gatherRun(tx, made[0]?.standingOrderId ?? ''))).toBe(false)
})
