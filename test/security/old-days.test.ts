/** Days that no feed sells are open to every search, however a query writes them: counted exactly, and without a notice. */
import { beforeAll, expect, test } from 'vitest'
import { saleHorizonDays } from '../../config/plans.ts'
import { indianDayOf } from '../../src/domain/iso-date.ts'
import { newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { insertCompany } from '../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)

const dayBefore = (days: number) => indianDayOf(new Date(Date.now() - days * 86_400_000))
const fresh = dayBefore(5)
const recent = dayBefore(saleHorizonDays + 20)
const freshCin = `U85100GA${fresh.slice(0, 4)}PTC019901`

beforeAll(async () => {
  const insert = (cin: string, day: string) =>
    insertCompany(database.db, { cin, name: `${cin} LIMITED`, incorporated_on: day, state: 'Goa', city: 'Quepem' })
  for (let n = 0; n < 105; n++) await insert(`U85100GA2015PTC0${18_000 + n}`, '2015-06-30')
  await insert('U85100GA2018PTC019002', recent)
  await insert(freshCin, fresh)
})

const search = async (query: string) => {
  const { token } = await newCustomer(api, database, { plan: 'premium' })
  const reply = await api.post('/api/screener/search', token, { type: 'company', query, limit: 100 })
  expect([query, reply.statusCode]).toEqual([query, 200])
  return reply
}

test.each([
  `dateOfIncorporation BETWEEN '2015-01-01' AND '2015-12-31'`,
  `dateOfIncorporation >= '2015-01-01' AND dateOfIncorporation < '2016-01-01'`,
  `dateOfIncorporation >= '2015-01-01' AND City == 'Quepem' AND dateOfIncorporation < '2016-01-01'`,
  `NOT (dateOfIncorporation < '2015-01-01' OR dateOfIncorporation >= '2016-01-01')`,
  `(dateOfIncorporation >= '2015-01-01' AND City == 'Quepem') AND dateOfIncorporation != '2015-01-01' AND dateOfIncorporation < '2016-01-01'`,
  `dateOfIncorporation IS NOT NULL AND dateOfIncorporation < '2016-01-01'`,
  `CIN CONTAINS '2015' AND dateOfIncorporation < '2016-01-01'`,
  `dateOfIncorporation < '2016-01-01' AND (CIN CONTAINS '2015' OR dateOfIncorporation > '2014-12-31')`,
  `dateOfIncorporation >= '${dayBefore(10)}' AND dateOfIncorporation < '2016-01-01' OR dateOfIncorporation == '2015-06-30'`,
])('an old range is counted exactly: %s', async (query) => {
  const { total, notice } = (await search(`City == 'Quepem' AND (${query})`)).json()
  expect([total, notice]).toEqual([105, undefined])
})

test.each([
  `dateOfIncorporation >= '2015-01-01' AND dateOfIncorporation <= '2099-12-31'`,
  `dateOfIncorporation >= '2015-01-01' AND NOT dateOfIncorporation < '2015-06-30'`,
  `dateOfIncorporation < '2016-01-01' OR dateOfIncorporation >= '2015-01-01'`,
  `dateOfIncorporation < '2016-01-01' OR CIN CONTAINS '20'`,
  `NOT (dateOfIncorporation < '2015-01-01' AND CIN CONTAINS '2018')`,
  `CIN CONTAINS '20' AND (dateOfIncorporation < '2016-01-01' OR City == 'Quepem')`,
  `dateOfIncorporation IS NOT NULL AND (dateOfIncorporation < '2016-01-01' OR City == 'Quepem')`,
  `dateOfIncorporation >= '2015-01-01' AND (dateOfIncorporation < '2016-01-01' OR dateOfIncorporation > '2017-01-01')`,
  `dateOfIncorporation IN ['2015-06-30', '${recent}', '${fresh}'] AND dateOfIncorporation >= '2015-01-01'`,
])('a range that reaches a sold day anywhere finds no sold record, says so and is rounded: %s', async (query) => {
  const reply = await search(`City == 'Quepem' AND (${query})`)
  expect(reply.body).not.toContain(freshCin)
  expect([reply.json().total, reply.json().notice]).toEqual([
    200,
    expect.stringContaining('recently_registered.company'),
  ])
})

test('an old range that reaches into the year before the sale horizon is rounded without a notice, however it is written', async () => {
  for (const query of [
    `dateOfIncorporation BETWEEN '2015-01-01' AND '${recent}'`,
    `dateOfIncorporation >= '2015-01-01' AND dateOfIncorporation <= '${recent}'`,
    `NOT dateOfIncorporation > '${recent}'`,
  ]) {
    const { total, notice } = (await search(`City == 'Quepem' AND ${query}`)).json()
    expect([query, total, notice]).toEqual([query, 200, undefined])
  }
})
