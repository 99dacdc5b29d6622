/** Counts of a query by value: each is what the search finds when the value is asked for, too. */
import { beforeAll, expect, test } from 'vitest'
import type { ScreenerType } from '../../../src/registry/screener/fields.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { fillRegisters } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
beforeAll(async () => {
  await fillRegisters(database.db)
  customer = await newCustomer(api, database, { plan: 'premium' })
})

interface Facets {
  readonly facets: readonly { field: string; values: readonly { value: string | null; records: number }[] }[]
  readonly notice?: string
}

const ask = async <T>(path: string, body: object): Promise<T> => {
  const reply = await api.post(path, customer.token, body)
  expect(reply.statusCode).toBe(200)
  return reply.json<T>()
}
const totalOf = async (type: ScreenerType, query: string) =>
  (await ask<{ total: number }>('/api/screener/search', { type, query })).total

/** The last two are asked of days that are sold, by somebody who has not bought them. */
const asked: readonly (readonly [ScreenerType, string])[] = [
  ['company', 'paidUpCapital >= 0'],
  ['gst', "GSTIN STARTS_WITH '2'"],
  ['company', "CIN != 'U85100GA2022PTC999999' AND dateOfIncorporation > '2000-01-01'"],
  ['gst', "DateOfRegistration > '2000-01-01'"],
]

test.each(asked)(
  'of %s, %s: each value has as many records as a search for it finds, and together they are all',
  async (type, query) => {
    const total = await totalOf(type, query)
    const { facets } = await ask<Facets>('/api/screener/facets', { type, query })
    expect(facets.length).toBe(4)
    for (const { field, values } of facets) {
      expect(
        values.reduce((sum, { records }) => sum + records, 0),
        field,
      ).toBe(total)
      for (const { value, records } of values) {
        const narrowed = value === null ? `${field} IS NULL` : `${field} == '${value}'`
        expect(await totalOf(type, `(${query}) AND ${narrowed}`), narrowed).toBe(records)
      }
    }
  },
)

test('a mistake in the query is told as by the search', async () => {
  const reply = await api.post('/api/screener/facets', customer.token, { type: 'company', query: "State = 'Goa'" })
  expect([reply.statusCode, reply.json<{ error_code: string }>().error_code]).toEqual([422, 'QUERY_SYNTAX'])
})
