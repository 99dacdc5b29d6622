/** Credits that expire unspent: their account is notified in time, once. */
import { expect, test } from 'vitest'
import { expiringDaysBefore } from '../../../config/sales.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { events } from '../../../src/notify/event-types.ts'
import { mailText } from '../../../src/notify/mails/mail-text.ts'
import { announceExpiring } from '../../../src/orders/announce-expiring.ts'
import { type CreditType, grantCredits, revokeCredits } from '../../../src/orders/ledger.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount } from './world.ts'

const database = useTestDatabase()
let grants = 0

/** Midnight in India after this many days, so the last day is the one before. */
async function grant(accountId: string, credits: number, days: number, type: CreditType = 'granted'): Promise<string> {
  const [end] = await database.db.query<{ endsAt: Date; lastDay: string }>(
    `SELECT runtime.indian_midnight(runtime.indian_day(now()) + $1::integer) AS "endsAt",
            (runtime.indian_day(now()) + $1::integer - 1)::text AS "lastDay"`,
    [days],
  )
  const endsAt = end?.endsAt ?? null
  await database.db.transaction((tx) => grantCredits(tx, accountId, credits, `expiring:${++grants}`, { type, endsAt }))
  return end?.lastDay ?? ''
}
const noticesOf = (accountId: string) =>
  database.db.query<{ about: string; data: object }>(
    `SELECT about, data FROM deliver.mail WHERE account_id = $1 AND type = 'credits.expiring' ORDER BY about`,
    [accountId],
  )

test('an account is notified once of the credits of each day that expire within a week, and not of those of a plan', async () => {
  const [owner, gone, spent] = [
    await createAccount(database.db),
    await createAccount(database.db),
    await createAccount(database.db),
  ]
  const soon = await grant(owner, 30, 3)
  await grant(owner, 10, 3, 'purchased')
  const later = await grant(owner, 5, 6)
  await grant(owner, 7, expiringDaysBefore + 2)
  await grant(owner, 9, 3, 'plan')
  await grant(gone, 30, 3)
  await database.db.transaction((tx) => eraseAccount(tx, gone))
  await grant(spent, 4, 3)
  await database.db.transaction((tx) => revokeCredits(tx, spent, 4, `spent:${spent}`))
  const trade = database.as('panji_trade')
  await Promise.all([announceExpiring(trade), announceExpiring(trade)])
  await announceExpiring(trade)
  const told = [
    { about: soon, data: { credits: 40, last_day: soon } },
    { about: later, data: { credits: 5, last_day: later } },
  ]
  expect(await noticesOf(owner)).toEqual(told)
  expect([await noticesOf(gone), await noticesOf(spent)]).toEqual([[], []])
  await database.db.execute(`UPDATE deliver.mail SET state = 'sent' WHERE account_id = $1`, [owner])
  await announceExpiring(trade)
  expect(await noticesOf(owner)).toEqual(told)
})

test('the e-mail says how many, and until when', () => {
  const { subject, text } = mailText('credits.expiring', events['credits.expiring'].example)
  expect(subject).toBe('40 credits can be spent until 2026-12-07')
  expect(text).toContain('40 credits of your account can be spent until 2026-12-07, and expire after that day.')
})
