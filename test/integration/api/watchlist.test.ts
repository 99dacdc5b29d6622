import { expect, test } from 'vitest'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { cinOf, gstinOf } from '../orders/world.ts'

const database = useTestDatabase()
const api = useApi(database)
const url = '/api/watchlist'

const company = (serial: number, name = `Company ${serial}`) => ({ identifier: cinOf(serial), name })
const send = (method: 'PUT' | 'DELETE', path: string, token: string, payload?: object) =>
  api.app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  })

async function made(token: string, entities: readonly object[], more: object = {}): Promise<string> {
  const reply = await api.post(url, token, { name: 'Prospects', watchlist_type: 'company', entities, ...more })
  expect(reply.statusCode).toBe(201)
  return reply.json().data.id
}

test('a watchlist is made with its entities, repeated ones merged, identifiers in their canonical spelling', async () => {
  const { token } = await newCustomer(api, database)
  const entities = [
    company(1),
    { identifier: ` ${cinOf(1).toLowerCase()}`, name: 'Again' },
    { ...company(2), identifier: 'aac3965' },
  ]
  const reply = await api.post(url, token, { name: ' Prospects ', watchlist_type: 'company', entities })
  expect([reply.statusCode, reply.json()]).toEqual([
    201,
    {
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Prospects',
        type: 'company',
        count: 2,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    },
  ])
  const one = await api.get(`${url}/${reply.json().data.id}`, token)
  expect(one.json()).toMatchObject({ total: 2, page: 1, limit: 10, data: { count: 2 } })
  expect(one.json().data.entities.map(({ identifier, name }: Record<string, string>) => [identifier, name])).toEqual([
    ['AAC-3965', 'Company 2'],
    [cinOf(1), 'Company 1'],
  ])
})

test('entities are optional, and every type takes its own identifiers', async () => {
  const { token } = await newCustomer(api, database)
  for (const [watchlist_type, identifier] of [
    ['company', cinOf(1)],
    ['director', '12345'],
    ['gst', gstinOf(1)],
  ]) {
    const empty = await api.post(url, token, { name: 'Empty', watchlist_type })
    expect([empty.statusCode, empty.json().data.count]).toEqual([201, 0])
    await made(token, [{ identifier, name: 'x' }], { watchlist_type })
  }
})

test.each([
  ['company', [company(1), { identifier: '00012345', name: 'x' }, company(2), { identifier: '', name: 'x' }], [1, 3]],
  ['director', [{ identifier: cinOf(1), name: 'x' }], [0]],
  [
    'gst',
    [
      { identifier: gstinOf(1), name: 'x' },
      { identifier: '27AABCU9603R1ZM', name: 'x' },
    ],
    [1],
  ],
])(
  'a malformed identifier of a %s list is a 422 with its index, and nothing is written',
  async (type, entities, indexes) => {
    const { token } = await newCustomer(api, database)
    const reply = await api.post(url, token, { name: 'x', watchlist_type: type, entities })
    expect([reply.statusCode, reply.json()]).toMatchObject([
      422,
      {
        error_code: 'UNPROCESSABLE',
        index: indexes[0],
        indexes,
        detail: expect.stringContaining(`entities[${indexes[0]}]`),
      },
    ])
    expect((await api.get(url, token)).json()).toEqual({ data: [], total: 0, page: 1, limit: 10 })
  },
)

test.each([
  { watchlist_type: 'company' },
  { name: 'x' },
  { name: ' ', watchlist_type: 'company' },
  { name: 'x', watchlist_type: 'llp' },
  { name: 'x', watchlist_type: 'company', entities: [{ identifier: cinOf(1) }] },
  { name: 'x', watchlist_type: 'company', account_id: 'someone' },
  { name: 'a\0b', watchlist_type: 'company' },
])('a body of the wrong shape is a 400: %j', async (body) => {
  const { token } = await newCustomer(api, database)
  expect((await api.post(url, token, body)).statusCode).toBe(400)
})

test('lists come newest first, by page and type', async () => {
  const { token } = await newCustomer(api, database)
  const ids = [await made(token, []), await made(token, [], { watchlist_type: 'gst' }), await made(token, [company(1)])]
  const idsAt = async (query: string) => {
    const { data, total } = (await api.get(`${url}?${query}`, token)).json()
    return [data.map(({ id }: { id: string }) => id), total]
  }
  expect(await idsAt('')).toEqual([ids.toReversed(), 3])
  expect(await idsAt('page=2&limit=2')).toEqual([[ids[0]], 3])
  expect(await idsAt('type=gst')).toEqual([[ids[1]], 1])
})

test('entities are paged and searched by part of name or identifier, wildcards taken literally', async () => {
  const { token } = await newCustomer(api, database)
  const id = await made(token, [company(1, 'Kaveri 100%'), company(2, 'Sahyadri'), company(3, 'Kaveri Retail')])
  const found = async (query: string) => {
    const { data, total } = (await api.get(`${url}/${id}?${query}`, token)).json()
    return [data.entities.map(({ identifier }: { identifier: string }) => identifier), total]
  }
  expect(await found('limit=2')).toEqual([[cinOf(1), cinOf(2)], 3])
  expect(await found('limit=2&page=2')).toEqual([[cinOf(3)], 3])
  expect(await found('search_query=kaveri')).toEqual([[cinOf(1), cinOf(3)], 2])
  expect(await found('search_query=100%25')).toEqual([[cinOf(1)], 1])
  expect(await found('search_query=_')).toEqual([[], 0])
  expect(await found('search_query=ptc000002')).toEqual([[cinOf(2)], 1])
})

test('a list is renamed, gains and loses entities, and is deleted', async () => {
  const { token } = await newCustomer(api, database)
  const id = await made(token, [company(1)])
  expect((await send('PUT', `${url}/${id}`, token, { name: 'Customers' })).json().data.name).toBe('Customers')

  const added = await api.post(`${url}/${id}/entities`, token, {
    entities: [company(1, 'New name'), company(2), company(2)],
  })
  expect(added.json()).toMatchObject({ added: 1, data: { count: 2 } })
  expect((await api.get(`${url}/${id}`, token)).json().data.entities[0].name).toBe('Company 1')

  const wrong = await api.post(`${url}/${id}/entities`, token, {
    entities: [company(3), { identifier: 'x', name: 'x' }],
  })
  expect([wrong.statusCode, wrong.json().index]).toEqual([422, 1])

  const removed = await send('DELETE', `${url}/${id}/entities?identifiers=${cinOf(1).toLowerCase()},${cinOf(9)}`, token)
  expect(removed.json()).toMatchObject({ removed: 1, data: { count: 1 } })

  expect((await send('DELETE', `${url}/${id}`, token)).json()).toEqual({ id, deleted: true })
  expect((await api.get(`${url}/${id}`, token)).statusCode).toBe(404)
  expect((await send('DELETE', `${url}/${id}`, token)).statusCode).toBe(404)
})

test('a list never holds more than 10,000 entities, however they arrive', async () => {
  const { token } = await newCustomer(api, database)
  const id = await made(token, [])
  await database.db.execute(
    `INSERT INTO access.watchlist_entity (watchlist_id, identifier, name)
     SELECT $1, 'F' || lpad(n::text, 6, '0'), 'x' FROM generate_series(1, 9999) n`,
    [id],
  )
  const replies = await Promise.all(
    [1, 2, 3].map((serial) => api.post(`${url}/${id}/entities`, token, { entities: [company(serial)] })),
  )
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422])
  expect((await api.get(`${url}/${id}`, token)).json().total).toBe(10_000)
})

test('an Idempotency-Key makes one list of two calls', async () => {
  const { token } = await newCustomer(api, database)
  const call = () => api.post(url, token, { name: 'x', watchlist_type: 'gst' }, { 'idempotency-key': 'once' })
  const [first, second] = [await call(), await call()]
  expect(second.body).toBe(first.body)
  expect((await api.get(url, token)).json().total).toBe(1)
})

test("another account's list does not exist, whatever is asked of it", async () => {
  const [owner, stranger] = [await newCustomer(api, database), await newCustomer(api, database)]
  const own = await made(owner.token, [company(1)])
  for (const id of [own, 'no-such-list', '00000000-0000-0000-0000-000000000000']) {
    const replies = [
      await api.get(`${url}/${id}`, stranger.token),
      await send('PUT', `${url}/${id}`, stranger.token, { name: 'Mine' }),
      await api.post(`${url}/${id}/entities`, stranger.token, { entities: [company(2)] }),
      await send('DELETE', `${url}/${id}/entities?identifiers=${cinOf(1)}`, stranger.token),
      await send('DELETE', `${url}/${id}`, stranger.token),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
  }
  expect((await api.get(url, stranger.token)).json().total).toBe(0)
  expect((await api.get(`${url}/${own}`, owner.token)).json().data).toMatchObject({ name: 'Prospects', count: 1 })
})
