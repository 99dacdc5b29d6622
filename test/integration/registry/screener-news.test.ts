/** What imports brought for saved screeners since a moment: counted once it came, and never what a feed sells to others. */
import { beforeAll, expect, test } from 'vitest'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
let entitled: LoggedIn
const cin = (number: number) => `U85100GA2022PTC60000${number}`
const query = "District == 'Wayanad'"

async function run(finishedAt: string): Promise<number> {
  const [made] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at)
     VALUES ('mca-companies', 'a file', 'delta', '2026-01-01', 'succeeded', $1) RETURNING run_id AS id`,
    [finishedAt],
  )
  return made?.id ?? 0
}

beforeAll(async () => {
  customer = await newCustomer(api, database, { plan: 'premium' })
  entitled = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
  const old = await run('2026-01-01T00:00:00Z')
  // Asked for before the next one, and approved after it.
  const approvedLate = await run('2026-03-01T00:00:00Z')
  const recent = await run('2026-02-01T00:00:00Z')
  const place = { state: 'Kerala', district: 'Wayanad' }
  const add = (number: number, runId: number, incorporatedOn: string | null) =>
    insertCompany(database.db, {
      ...{ cin: cin(number), name: `NUMBER ${number}`, incorporated_on: incorporatedOn, ...place },
      ...{ first_run_id: runId, last_run_id: recent },
    })
  await add(1, old, '2019-04-01')
  await add(2, recent, '2022-04-01')
  await add(3, recent, null)
  await add(4, recent, indianDayOf(new Date()))
  await add(5, approvedLate, '2022-04-01')
  for (const { token } of [customer, entitled]) {
    await api.post('/api/screener/screeners', token, { name: 'Wayanad', type: 'company', query })
  }
})

const news = async ({ token }: LoggedIn, since: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await api.app.inject({ method: 'GET', url: `/api/screener/news?since=${since}`, headers })
  return reply.json<{ data: { name: string; records: number | null }[] }>().data
}

test('a moment of a day that no calendar has is a 422, and what is no moment a 400', async () => {
  const status = async (since: string) =>
    (await api.get(`/api/screener/news?since=${since}`, customer.token)).statusCode
  expect(await status('2029-02-29T00:00:00Z')).toBe(422)
  expect(await status('yesterday')).toBe(400)
  expect(await status('2028-02-29T00:00:00Z')).toBe(200)
})

test('records are counted from the import on that brought them, those that are sold only for whoever has bought them', async () => {
  const since = '2026-01-15T00:00:00Z'
  expect(await news(customer, since)).toMatchObject([{ name: 'Wayanad', query, records: 3 }])
  expect(await news(entitled, since)).toMatchObject([{ name: 'Wayanad', records: 4 }])
  expect(await news(entitled, '2026-02-01T00:00:00Z')).toMatchObject([{ records: 1 }])
  expect(await news(entitled, '2026-03-01T00:00:00Z')).toMatchObject([{ records: 0 }])
  expect(await news(entitled, '2025-01-01T00:00:00Z')).toMatchObject([{ records: 5 }])
})

test('of a register that is too large to be looked through nothing is counted, and the screeners are named all the same', async () => {
  const say = (rows: number) =>
    database.db.execute('UPDATE pg_class SET reltuples = $1 WHERE oid = $2::text::regclass', [rows, 'registry.company'])
  await say(3_000_000)
  const told = await news(entitled, '2026-01-15T00:00:00Z')
  await say(-1)
  expect(told).toMatchObject([{ name: 'Wayanad', records: null }])
})
