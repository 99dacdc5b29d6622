/** A command that asked does what it showed, although there was more of it when the answer came. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccountId } from '../../../src/access/accounts.ts'
import { bookOverpaid } from '../../../src/orders/ledger-money.ts'
import { giveTerm } from '../../../src/orders/subscriptions/buy-term.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { runPanji } from '../../support/panji-program.ts'

const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())
const user = 'asha@example.in'
const env = () => ({
  ...{ PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
  PANJI_SECRET_KEY: 'secret-key-of-grown-figures-0123456789',
})
let accountId = ''
beforeAll(async () => {
  await runPanji(['account', 'create', '--email', user], env())
  accountId = await findAccountId(database.db, user)
})

/** Answers y once more has come in. */
async function answeredAfter(more: () => Promise<unknown>, ...words: string[]) {
  async function* answer(): AsyncGenerator<string> {
    await more()
    yield 'y\r'
  }
  const keyboard = Object.assign(Readable.from(answer(), { objectMode: false }), { isTTY: true })
  const { code, stdout, stderr } = await runPanji(
    [...words, '--reason', 'agreed', '--json'],
    env(),
    undefined,
    keyboard,
  )
  return { code, stderr, answer: JSON.parse(stdout) as unknown }
}

test('a debt is written off as far as it was shown, and what was charged back since stays owed', async () => {
  const chargeBack = (reference: string, paise: number) =>
    database.db.transaction((tx) => bookOverpaid(tx, accountId, { reference, paise, memo: 'a chargeback' }))
  await chargeBack('first', 50_000)
  expect(await answeredAfter(() => chargeBack('second', 20_000), 'payments', 'write-off', user)).toEqual({
    code: 0,
    stderr: expect.stringContaining('owes ₹500.00; ₹500.00 are booked as a loss'),
    answer: { user_id: accountId, settled: 50_000, owed: 20_000 },
  })
  const rest = await answeredAfter(async () => {}, 'payments', 'write-off', user, '--amount', '100')
  expect(rest).toMatchObject({ code: 0, answer: { settled: 10_000, owed: 10_000 } })
  await runPanji(['payments', 'write-off', user, '--reason', 'agreed', '--yes'], env())
  const nothing = await answeredAfter(async () => {}, 'payments', 'write-off', user)
  expect(nothing).toMatchObject({ code: 1, answer: { error: { code: 'CONFLICT' } } })
  expect(nothing.stderr).not.toContain('Go on?')
})

test('the term that was shown is refunded, and not the one that was bought since', async () => {
  const give = (reference: string) =>
    database.db.transaction((tx) => giveTerm(tx, accountId, { planId: 'premium-month', reference, actor: 'operator' }))
  const id = await give('first')
  expect(await answeredAfter(() => give('second'), 'subscription', 'refund', id)).toEqual({
    code: 0,
    stderr: expect.stringMatching(/1 term, until .*; term 1 goes back/),
    answer: expect.objectContaining({ subscription_id: id, term: 1 }),
  })
})
