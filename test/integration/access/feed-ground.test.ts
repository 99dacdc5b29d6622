/** The ground of pages of feeds, read for all calls that wait: what is taken of a budget, by whom, and what each is told. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budgets, type PlanName } from '../../../config/plans.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { createFeedGround } from '../../../src/access/feed-ground.ts'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { recordBudget, reserveRecords } from '../../../src/access/record-budget.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'

const database = useTestDatabase()
const api = useApi(database)

interface Kind {
  readonly plan?: PlanName
  readonly isEnterprise?: boolean
  readonly datasets?: readonly EntityType[]
  readonly trial?: boolean
}

async function newAccount({ plan = 'free', isEnterprise = false, datasets = ['company'], trial = true }: Kind = {}) {
  const { accountId } = await newCustomer(api, database, { plan, isEnterprise })
  for (const dataset of datasets)
    await grantEntitlement(database.db, { accountId, dataset, grantedBy: trial ? 'offer' : 'subscription', trial })
  return { accountId, plan, isEnterprise }
}

/** Leaves so many records of the day's budget. */
async function leave(accountId: string, records: number): Promise<void> {
  await database.db.execute(
    `INSERT INTO access.daily_usage (account_id, kind, day, used) VALUES ($1, 'feed_records', runtime.limit_day(now()), $2)`,
    [accountId, (budgets.free.feedRecords ?? 0) - records],
  )
}

test('over any mix of accounts, sizes and processes a call gets its records whole or not at all, and no budget is passed', async () => {
  const call = fc.record({ account: fc.nat(2), process: fc.nat(1), records: fc.integer({ min: 1, max: 100 }) })
  const lefts = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 300 })))
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 30 }), lefts, async (calls, left) => {
      const processes = [createFeedGround(database.db), createFeedGround(database.db)] as const
      const accounts = [await newAccount(), await newAccount(), await newAccount()] as const
      for (const [index, { accountId }] of accounts.entries()) await leave(accountId, left[index] ?? 0)
      const told = await Promise.all(
        calls.map(async ({ account: index, process, records }) => {
          const account = accounts[index] ?? accounts[0]
          const { reserved } = await processes[process === 0 ? 0 : 1]({ account, dataset: 'company', records })
          // Who got nothing beside others asks alone, as an answer does.
          const held = reserved ?? (await reserveRecords(database.db, account, records).catch(() => null))
          return { index, records, remaining: held?.remaining ?? null }
        }),
      )
      for (const [index, account] of accounts.entries()) {
        const own = told.filter((each) => each.index === index)
        const got = own.filter(({ remaining }) => remaining !== null)
        const taken = got.reduce((sum, { records }) => sum + records, 0)
        const { remaining } = await recordBudget(database.db, account)
        expect(remaining).toBe((left[index] ?? 0) - taken)
        expect(Math.min(...got.map((each) => each.remaining ?? 0), left[index] ?? 0)).toBe(remaining)
        expect(new Set(got.map((each) => each.remaining)).size).toBe(got.length)
        for (const { records, remaining: none } of own)
          if (none === null) expect(records).toBeGreaterThan(remaining ?? 0)
      }
    }),
    { numRuns: draws(15) },
  )
})

test('calls that come together are told each its own: the scope of its dataset, its budget and what is left of that', async () => {
  const accounts = {
    trial: await newAccount({ datasets: ['company', 'gst'] }),
    bought: await newAccount({ trial: false }),
    premium: await newAccount({ plan: 'premium' }),
    enterprise: await newAccount({ isEnterprise: true, datasets: [] }),
    nothing: await newAccount({ plan: 'premium', datasets: ['gst'] }),
  }
  for (const account of Object.values(accounts)) await leave(account.accountId, budgets.free.feedRecords ?? 0)
  const read = createFeedGround(database.db)
  const asked = Object.values(accounts).flatMap((account) =>
    ([10, 20] as const).map((records) => ({ account, dataset: 'company' as const, records })),
  )
  const grounds = await Promise.all(asked.map(read))
  const kinds = grounds.map(({ scope, reserved }) => [scope.granted_by, reserved && [reserved.limit, reserved.used]])
  const { free, premium } = budgets
  expect(kinds).toEqual([
    ...[10, 30].map((used) => ['offer', [free.feedRecords, used]]),
    ...[10, 30].map((used) => ['subscription', [premium.feedRecords, used]]),
    ...[10, 30].map((used) => ['offer', [premium.feedRecords, used]]),
    ...[10, 30].map((used) => ['enterprise', [null, used]]),
    // What nothing opens takes nothing.
    ...[10, 30].map(() => [null, null]),
  ])
  expect(await recordBudget(database.db, accounts.nothing)).toMatchObject({ used: 0 })
})

test('an account whose erasure is under way keeps nobody waiting but itself, and gets nothing afterwards', async () => {
  const [held, other] = [await newAccount(), await newAccount()]
  const read = createFeedGround(database.db)
  const pageOf = (account: typeof held) => read({ account, dataset: 'company', records: 10 })
  const page = async (account: typeof held) => (await pageOf(account)).reserved?.used ?? null
  expect([await page(held), await page(other)]).toEqual([null, null])
  for (const account of [held, other]) await reserveRecords(database.db, account, 10)
  await database.db.transaction(async (tx) => {
    await tx.execute('SELECT FROM access.account WHERE account_id = $1 FOR UPDATE', [held.accountId])
    expect(await Promise.all([page(held), page(other)])).toEqual([20, 20])
    await eraseAccount(tx, held.accountId)
  })
  expect(await Promise.all([page(held), page(other)])).toEqual([null, 30])
  await expect(reserveRecords(database.db, held, 10)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
