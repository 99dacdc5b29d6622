/** A search in an order of one's own, with columns of one's own: told as the register has them, less what a feed sells. */
import { beforeAll, expect, test } from 'vitest'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertDirectorship, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
const today = indianDayOf(new Date())
const cin = (number: number) => `U85100GA2022PTC70000${number}`

beforeAll(async () => {
  const { db } = database
  customer = await newCustomer(api, database, { plan: 'premium' })
  const kept = { state: 'Kerala', district: 'Idukki' }
  await insertCompany(db, {
    cin: cin(1),
    name: 'Betel',
    paid_up_capital: 200_000,
    incorporated_on: '2019-04-01',
    ...kept,
  })
  await insertCompany(db, {
    cin: cin(2),
    name: 'areca',
    paid_up_capital: 1_500_000,
    incorporated_on: '2022-04-01',
    ...kept,
  })
  await insertCompany(db, { cin: cin(3), name: 'Cashew', incorporated_on: today, ...kept })
  await insertDirectorship(db, { cin: cin(2), din: '00000011', designation: 'Director', appointed_on: '2022-04-01' })
  await insertGst(db, {
    gstin: '27AAACR5055K1Z7',
    legal_name: 'Asha Rao',
    trade_name: 'Rao Stores',
    hsn_codes: ['0902'],
  })
})

interface Found {
  readonly results: readonly { readonly CIN: string }[]
  readonly next_cursor: string | null
  readonly shown?: readonly Record<string, unknown>[]
}

const search = (more: object, type = 'company', query = "District == 'Idukki'") =>
  api.post('/api/screener/search', customer.token, { query, type, limit: 10, ...more })
const orderBy = async (field: string, descending: boolean) => {
  const reply = await search({ sort: { field, descending } })
  return reply.json<Found>().results.map(({ CIN }) => Number(CIN.at(-1)))
}

test.each([
  ['paidUpCapital', false, [1, 2, 3]],
  ['paidUpCapital', true, [2, 1, 3]],
  ['company', false, [2, 1, 3]],
  // The day of a registration that a feed sells to others is not known here, and stands last like any that is not.
  ['dateOfIncorporation', true, [2, 1, 3]],
  ['dateOfIncorporation', false, [1, 2, 3]],
  ['CIN', true, [3, 2, 1]],
])(
  'sorted by %s, descending %s, records stand in that order, those without a value last',
  async (field, descending, order) => {
    expect(await orderBy(field, descending)).toEqual(order)
  },
)

test('columns are shown as they were asked for, and no day that a feed sells', async () => {
  const show = ['District', 'dateOfIncorporation', 'paidUpCapital', 'boardSize', 'has_mobile', 'owned', 'NICDesc']
  const { shown, next_cursor } = (await search({ show })).json<Found>()
  const common = { District: 'Idukki', has_mobile: false, owned: false, NICDesc: null }
  expect(shown).toEqual([
    { ...common, dateOfIncorporation: '2019-04-01', paidUpCapital: 200_000, boardSize: 0 },
    { ...common, dateOfIncorporation: '2022-04-01', paidUpCapital: 1_500_000, boardSize: 1 },
    { ...common, dateOfIncorporation: null, paidUpCapital: null, boardSize: 0 },
  ])
  expect(next_cursor).toBeNull()
  expect((await search({})).json<Found>().shown).toBeUndefined()
})

test('whoever may read the feed is shown its days, and sorted by them', async () => {
  const entitled = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
  const body = { query: "District == 'Idukki'", type: 'company', show: ['dateOfIncorporation'] }
  const sort = { field: 'dateOfIncorporation', descending: true }
  const found = (await api.post('/api/screener/search', entitled.token, { ...body, sort })).json<Found>()
  expect(found.shown?.map(({ dateOfIncorporation }) => dateOfIncorporation)).toEqual([
    today,
    '2022-04-01',
    '2019-04-01',
  ])
})

test.each<[more: object, type: 'company' | 'gst']>([
  [{ show: ['LegalName'] }, 'gst'],
  [{ show: ['State; DROP TABLE'] }, 'gst'],
  [{ sort: { field: 'LegalName' } }, 'gst'],
  [{ sort: { field: 'hsncd' } }, 'gst'],
  [{ sort: { field: 'has_mobile' } }, 'company'],
  [{ sort: { field: 'boardSize' } }, 'company'],
])(
  '%j of a %s search is refused with a sentence, also where nothing is found and on a page beyond the last',
  async (more, type) => {
    const of = {
      company: ["State == 'Goa'", "City == 'Nowhere'"],
      gst: ["GSTIN STARTS_WITH '27'", "GSTIN STARTS_WITH '00'"],
    }
    const [found, none] = of[type]
    for (const reply of [
      await search(more, type, found),
      await search(more, type, none),
      await search({ ...more, page: 9 }, type, found),
    ])
      expect([reply.statusCode, reply.json<{ error_code: string }>().error_code]).toEqual([422, 'UNPROCESSABLE'])
  },
)

test('pages of another order follow by their numbers, and no cursor mixes two orders', async () => {
  const first = (await search({ limit: 2 })).json<Found>()
  const sort = { field: 'paidUpCapital', descending: true }
  expect((await search({ limit: 2, cursor: first.next_cursor, sort })).statusCode).toBe(400)
  const pages = [1, 2].map(async (page) => (await search({ limit: 2, page, sort })).json<Found>())
  const [one, two] = await Promise.all(pages)
  expect([one?.next_cursor, one?.results.length, two?.results.length]).toEqual([null, 2, 1])
})
