import { expect, test } from 'vitest'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const read = async (path: string) => (await api.get(path, operatorToken)).json()

test('what the operator reads is closed to everybody else', async () => {
  const { token } = await newCustomer(api, database)
  for (const path of ['/admin/users', '/admin/audit', '/admin/ingest/runs', '/admin/ingest/runs/1']) {
    for (const bearer of [token, undefined]) expect((await api.get(path, bearer)).statusCode).toBe(401)
  }
})

test('accounts are listed newest first, by page, found by part of e-mail or name and by id', async () => {
  const made = []
  for (const n of [1, 2, 3]) {
    made.push(
      await newCustomer(api, database, { email: `Listed_${n}@example.org`, username: `Buyer ${n}`, plan: 'premium' }),
    )
  }
  const ids = made.map(({ accountId }) => accountId)
  const found = async (query: string) => {
    const { data, total } = await read(`/admin/users?${query}`)
    return [data.map(({ user_id }: { user_id: string }) => user_id), total]
  }
  expect(await found('search=LISTED_')).toEqual([ids.toReversed(), 3])
  expect(await found('search=listed_&page=2&limit=2')).toEqual([[ids[0]], 3])
  expect(await found('search=buyer%202')).toEqual([[ids[1]], 1])
  expect(await found(`search=${ids[2]}`)).toEqual([[ids[2]], 1])
  expect(await found('search=%25')).toEqual([[], 0])

  await api.post(`/admin/users/${ids[0]}/suspend`, operatorToken, { reason: 'test' })
  expect(await found('search=listed_&suspended=true')).toEqual([[ids[0]], 1])
  expect(await found('search=listed_&suspended=false')).toEqual([[ids[2], ids[1]], 2])
  const { data } = await read('/admin/users?search=listed_1')
  expect(data[0]).toEqual({
    user_id: ids[0],
    email: 'Listed_1@example.org',
    username: 'Buyer 1',
    plan: 'premium',
    is_enterprise: false,
    suspended: true,
    suspended_at: expect.any(String),
    reason: 'test',
    created_at: expect.any(String),
  })
})

test('accounts are sorted by e-mail, name or age, from either end, across their pages', async () => {
  const made = []
  for (const [email, username] of [
    ['Sorted_b@example.org', 'anand'],
    ['sorted_a@example.org', 'Chitra'],
    ['sorted_C@example.org', 'Bela'],
  ] as const) {
    made.push((await newCustomer(api, database, { email, username })).accountId)
  }
  const [b, a, c] = made
  const found = async (query: string) =>
    (await read(`/admin/users?search=sorted_&${query}`)).data.map(({ user_id }: { user_id: string }) => user_id)
  expect(await found('')).toEqual([c, a, b])
  for (const [sort, ids] of [
    ['email', [a, b, c]],
    ['username', [b, c, a]],
    ['created_at', [b, a, c]],
  ] as const) {
    expect([sort, await found(`sort=${sort}`)]).toEqual([sort, ids])
    expect([sort, await found(`sort=${sort}-`)]).toEqual([sort, ids.toReversed()])
    expect([sort, await found(`sort=${sort}&limit=2&page=2`)]).toEqual([sort, ids.slice(2)])
  }
  expect((await api.get('/admin/users?sort=password_hash', operatorToken)).statusCode).toBe(400)
})

test('the audit log lists who did what to whom, newest first', async () => {
  const { accountId } = await newCustomer(api, database)
  await api.post(`/admin/users/${accountId}/suspend`, operatorToken)
  await api.post(`/admin/users/${accountId}/unsuspend`, operatorToken)
  const { data } = await read(`/admin/audit?subject=${accountId}`)
  expect(data.map(({ action }: { action: string }) => action)).toEqual([
    'unsuspend account',
    'suspend account',
    'issue api key',
    'create account',
  ])
  expect(data[1]).toEqual({
    id: expect.any(Number),
    place: expect.any(Number),
    at: expect.any(String),
    kind: 'act',
    actor: 'operator:default',
    action: 'suspend account',
    subject: accountId,
    detail: { sessionsRevoked: 1 },
    account_id: accountId,
    credential: 'environment',
    operation: 'suspendAccount',
    person: null,
    address: '10.0.0.1',
    reason: null,
    data_class: null,
    identifiers: null,
    records: null,
  })
  const first = await read(`/admin/audit?subject=${accountId}&limit=1`)
  const second = await read(`/admin/audit?subject=${accountId}&limit=1&cursor=${first.next_cursor}`)
  expect([first.data, second.data].map(([row]) => row.action)).toEqual(['unsuspend account', 'suspend account'])
  const rest = await read(`/admin/audit?subject=${accountId}&limit=3&cursor=${second.next_cursor}`)
  expect([rest.data.length, rest.next_cursor]).toEqual([2, null])
  expect((await api.get('/admin/audit?cursor=nonsense', operatorToken)).statusCode).toBe(400)
  expect((await read(`/admin/audit?subject=${accountId}&action=issue%20api%20key`)).data).toHaveLength(1)
  expect((await read(`/admin/audit?actor=system&subject=${accountId}`)).data).toEqual([])
})

test('runs are listed newest first, by source and status, and one is read with its report', async () => {
  const insert = async (source: string, status: string) => {
    const [row] = await database.db.query<{ id: number }>(
      `INSERT INTO ingest.run (source, input, mode, as_of, status, rows_read, inserted, report)
       VALUES ($1, 'a.csv', 'snapshot', '2026-11-01', $2, 3, 3, '{"rejects": {}}') RETURNING run_id AS id`,
      [source, status],
    )
    return row?.id ?? 0
  }
  const ids = [
    await insert('gst-taxpayers', 'succeeded'),
    await insert('mca-companies', 'failed'),
    await insert('gst-taxpayers', 'queued'),
  ]
  const found = async (query: string) => {
    const { data, total } = await read(`/admin/ingest/runs?${query}`)
    return [data.map(({ run_id }: { run_id: number }) => run_id), total]
  }
  expect(await found('')).toEqual([ids.toReversed(), 3])
  expect(await found('page=2&limit=2')).toEqual([[ids[0]], 3])
  expect(await found('source=gst-taxpayers')).toEqual([[ids[2], ids[0]], 2])
  expect(await found('status=failed')).toEqual([[ids[1]], 1])
  expect(await read(`/admin/ingest/runs/${ids[0]}`)).toMatchObject({
    run_id: ids[0],
    source: 'gst-taxpayers',
    status: 'succeeded',
    rows_read: 3,
    report: { rejects: {} },
    created_at: expect.stringMatching(/Z$/),
    finished_at: null,
  })
  for (const id of ['999999', 'x', '9'.repeat(30)]) {
    expect((await api.get(`/admin/ingest/runs/${id}`, operatorToken)).statusCode).toBe(404)
  }
  expect((await api.get('/admin/ingest/runs?status=open', operatorToken)).statusCode).toBe(400)
})

test('days that are the wrong way round are refused, and are no answer of nothing', async () => {
  const { token } = await newCustomer(api, database)
  for (const [path, bearer] of [
    ['/admin/audit', operatorToken],
    ['/admin/ledger', operatorToken],
    ['/api/audit', token],
    ['/api/credits/ledger', token],
  ] as const) {
    const between = (from: string, to: string) => api.get(`${path}?from=${from}&to=${to}`, bearer)
    const reply = await between('2026-02-01', '2026-01-31')
    const message = 'to must not be before from; "2026-01-31" came. For example to=2026-04-01.'
    expect([path, reply.statusCode, reply.json()]).toMatchObject([
      path,
      422,
      { parameter: 'to', errors: [{ field: 'query.to', message }] },
    ])
    expect((await between('2026-02-01', '2026-02-01')).statusCode).toBe(200)
  }
})
