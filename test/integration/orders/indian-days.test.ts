/** The days of the ledger is those of India, where a month begins at 18:30 UTC, as on the invoices; ends of credits come from the database's clock. */
import { expect, test } from 'vitest'
import { endOfIndianDay } from '../../../src/domain/iso-date.ts'
import { listCreditEntries } from '../../../src/orders/credit-entries.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { listTransfers } from '../../../src/orders/ledger-accounts.ts'
import { transfersCsv } from '../../../src/orders/ledger-csv.ts'
import { newCustomer, operatorToken, type TestApi, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'
import { createAccount } from './world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)

test('an entry of half past midnight in India is of that day, in the ledger and in the account’s own list', async () => {
  const { db } = database
  const accountId = await createAccount(db)
  const reference = `edge:${accountId}`
  await db.transaction((tx) => grantCredits(tx, accountId, 1, reference))
  // Only the clock can bring the first of a month, so the guards are left out for once.
  await db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(`UPDATE ledger.transfer SET created_at = '2026-10-31T19:00:00Z' WHERE reference = $1`, [reference])
  })
  const booked = async (from: string, to: string) =>
    (await listTransfers(db, { search: reference, from, to }, 10)).length
  const told = async (from: string, to: string) =>
    (await listCreditEntries(db, accountId, { from, to, page: 1, limit: 10 })).total
  for (const within of [booked, told]) {
    expect([await within('2026-10-01', '2026-10-31'), await within('2026-11-01', '2026-11-30')]).toEqual([0, 1])
  }
  const [heading, row] = transfersCsv(await listTransfers(db, { search: reference }, 10)).split('\r\n')
  expect(heading).toMatch(/^transfer_id,date,at,/)
  expect(row).toMatch(/^\d+,2026-11-01,2026-10-31T19:00:00.000Z,grant,/)
})

const endsOf = (accountId: string) =>
  database.db.query<{ clock: string; days: number }>(
    `SELECT to_char(ends_at AT TIME ZONE 'Asia/Kolkata', 'HH24:MI:SS') AS clock,
            runtime.indian_day(ends_at) - runtime.indian_day(now()) AS days
     FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1`,
    [accountId],
  )

test('credits of a pack end with a day in India', async () => {
  const customer = await newCustomer(api, database)
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  await world.box.pay(payment.id)
  expect(await endsOf(customer.accountId)).toEqual([{ clock: '00:00:00', days: 366 }])
})

test('credits that an operator gives to the end of a day end with it in India', async () => {
  const accountId = await createAccount(database.db)
  const body = { credits: 3, reference: `gift:${accountId}`, reason: 'Diwali', expires: '2099-11-08' }
  expect((await api.post(`/admin/users/${accountId}/credits`, operatorToken, body)).statusCode).toBe(200)
  const [lot] = await database.db.query<{ ends: Date }>(
    'SELECT ends_at AS ends FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1',
    [accountId],
  )
  expect(lot?.ends).toEqual(new Date('2099-11-08T18:30:00Z'))
  expect(endOfIndianDay('2099-11-08')).toEqual(lot?.ends)
})
