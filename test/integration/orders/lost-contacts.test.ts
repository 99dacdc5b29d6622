import { beforeAll, expect, test } from 'vitest'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { readLeads } from '../../../src/leads/read-leads.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount, gstinOf, insertContact, insertGst, insertRow, useTestQueue } from './world.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.urlAs('panji_worker'))

beforeAll(async () => {
  for (const serial of [1, 2, 3, 4]) await insertGst(database.db, gstinOf(serial))
  await insertContact(database.db, 'gst', gstinOf(1), { email: 'one@example.in' })
  await insertContact(database.db, 'gst', gstinOf(2), { email: 'two@example.in' })
  await insertContact(database.db, 'gst', gstinOf(3), { email: 'not available', phone: 'ask at the desk' })
  await insertContact(database.db, 'gst', gstinOf(4), { emails: ['four@example.in'], mobiles: ['+919812345674'] })
  const [bookkeeping] = [{ first_run_id: 1, last_run_id: 1, as_of: '2026-06-01' }]
  await insertRow(database.db, 'registry.contact_preference', {
    ...{ id: 'four@example.in|DND', value: 'four@example.in', preference: 'do_not_contact', list: 'DND' },
    ...bookkeeping,
  })
})

async function ordered(accountId: string, ...serials: readonly number[]): Promise<string> {
  const { orderId } = await placeOrder(
    database.as('panji_api'),
    jobs.queue,
    { onlineLabel: 'online' },
    {
      accountId,
      orderName: 'Pilot',
      paymentOption: 'credits',
      items: serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) })),
    },
  )
  return orderId
}

test('a contact that went between order and build is refunded at the build, once, and yields no lead', async () => {
  const accountId = await createAccount(database.db, 10)
  const orderId = await ordered(accountId, 1, 2)
  expect(await creditBalance(database.db, accountId)).toBe(8)
  await database.db.execute(`UPDATE registry.contact SET closed_on = '2026-06-02' WHERE identifier = $1`, [gstinOf(2)])
  const worker = database.as('panji_worker')
  expect(await buildLeads(worker, { orderId, leadSource: 'Panji', refund: refundItems })).toEqual({ built: 1 })
  expect(await buildLeads(worker, { orderId, leadSource: 'Panji', refund: refundItems })).toEqual({ built: 0 })
  expect(await creditBalance(database.db, accountId)).toBe(9)
  expect((await readLeads(database.db, orderId)).map(({ identifier }) => identifier)).toEqual([gstinOf(1)])
})

test('text that is no contact is not charged', async () => {
  const accountId = await createAccount(database.db, 1)
  await ordered(accountId, 3)
  expect(await creditBalance(database.db, accountId)).toBe(1)
})

test('an account that leaves out who asked not to be contacted sees and pays for the other contacts alone', async () => {
  const lead = async (excludes: boolean) => {
    const accountId = await createAccount(database.db, 1)
    await database.db.execute('UPDATE access.account SET excludes_preferences = $2 WHERE account_id = $1', [
      accountId,
      excludes,
    ])
    const orderId = await ordered(accountId, 4)
    await buildLeads(database.as('panji_worker'), { orderId, leadSource: 'Panji', refund: refundItems })
    const [built] = await readLeads(database.db, orderId)
    return [built?.row['Email'], built?.row['Mobile'], built?.fullData.contacts?.length]
  }
  expect(await lead(false)).toEqual(['four@example.in', '+919812345674', 2])
  expect(await lead(true)).toEqual([null, '+919812345674', 1])
})
