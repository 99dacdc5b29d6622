/**
 * What begins or ends with a day does so at midnight in India, by the database's clock. A day of UTC is found out on the clock
 * of a minute after midnight there (`npm run test:long`).
 */
import { expect, test } from 'vitest'
import { saleHorizonDays } from '../../../config/plans.ts'
import { soldRegistrations } from '../../../src/access/sold-registrations.ts'
import { endOfIndianDay } from '../../../src/domain/iso-date.ts'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

test('what the feeds sell begins so many days before today', async () => {
  const { accountId } = await newCustomer(api, database)
  const sold = await soldRegistrations(database.db, { accountId, isEnterprise: false }, 'gst')
  const [day] = await database.db.query('SELECT runtime.indian_day(now()) - $1::date AS days', [sold?.from])
  expect(day).toEqual({ days: saleHorizonDays })
})

test('a key ends with its last day, and the audit log is asked for by days', async () => {
  const { accountId } = await newCustomer(api, database)
  const made = await api.post(`/admin/users/${accountId}/keys`, operatorToken, { expires_at: '2090-01-31' })
  expect(made.json().expires_at).toBe(endOfIndianDay('2090-01-31').toISOString())
  const [today] = await database.db.query<{ day: string; next: string }>(
    'SELECT runtime.indian_day(now()) AS day, runtime.indian_day(now()) + 1 AS next',
  )
  const entries = async (from: string | undefined) =>
    (await api.get(`/admin/audit?subject=${accountId}&from=${from}`, operatorToken)).json().data.length
  expect(await entries(today?.day)).toBeGreaterThan(0)
  expect(await entries(today?.next)).toBe(0)
})
