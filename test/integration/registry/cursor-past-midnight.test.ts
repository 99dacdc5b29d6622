/** A result of `last 7 days` whose first page was read before midnight in India, and whose next ones after it. */
import { expect, test } from 'vitest'
import { daysAfter, indianDayOf } from '../../../src/domain/iso-date.ts'
import { writeCursor } from '../../../src/registry/paging/page-cursor.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
const cin = (number: number) => `U85100GA2022PTC60001${number}`

test('a cursor of yesterday goes on with the days that yesterday told', async () => {
  const { token } = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
  const yesterday = daysAfter(indianDayOf(new Date()), -1)
  const before = daysAfter(yesterday, -3)
  for (const [number, day] of [before, before, before, daysAfter(yesterday, 1)].entries())
    await insertCompany(database.db, {
      cin: cin(number),
      name: `LATE ${number}`,
      incorporated_on: day,
      district: 'Idukki',
    })
  const query = "District == 'Idukki' AND dateOfIncorporation IN LAST 7 DAYS"
  const search = async (cursor?: string) => {
    const { statusCode, body } = await api.post('/api/screener/search', token, {
      query,
      type: 'company',
      limit: 1,
      cursor,
    })
    return { statusCode, ...JSON.parse(body) }
  }
  const { canonical } = readQuery('company', query, null, yesterday)
  const second = await search(writeCursor(`company:${canonical}`, 1, cin(0), 2, yesterday))
  expect(second).toMatchObject({ statusCode: 200, page: 2, total: 3, results: [{ CIN: cin(1) }] })
  const third = await search(second.next_cursor)
  expect(third).toMatchObject({ statusCode: 200, page: 3, total: 3, results: [{ CIN: cin(2) }], next_cursor: null })
  expect(await search()).toMatchObject({ total: 4 })
})
