import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AccessToken } from '../../../src/access/access-token.ts'
import { suspendAccount } from '../../../src/access/accounts.ts'
import { type AccessLimits, createAdmission, type DailyLimitKind } from '../../../src/access/admission.ts'
import { createUnitReturns } from '../../../src/access/return-units.ts'
import type { Queryable } from '../../../src/db/db.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'

const database = useTestDatabase()
const api = useApi(database)

/** A customer's token as the admission sees it once its signature was found right. */
async function newToken(): Promise<AccessToken & { readonly accountId: string }> {
  const { accountId } = await newCustomer(api, database)
  const [row] = await database.db.query<{ sessionId: string; kid: string; now: number }>(
    `SELECT session_id AS "sessionId", (SELECT kid FROM access.signing_key LIMIT 1) AS kid,
            extract(epoch FROM now())::bigint AS now
     FROM access.session WHERE account_id = $1`,
    [accountId],
  )
  if (!row) throw new Error('the login opened no session')
  return { accountId, sessionId: row.sessionId, kid: row.kid, issuedAt: row.now, expiresAt: row.now + 3600 }
}

const limitsOf = (burstPerMinute: number, details: number): AccessLimits => {
  const daily = { search: null, details, screener: 0 }
  return { burstPerMinute, daily: { free: daily, premium: daily } }
}

describe('calls admitted together', () => {
  test('over any mix of accounts, kinds and processes each limit lets exactly its number through', async () => {
    const kind = fc.constantFrom<DailyLimitKind | undefined>('search', 'details', 'screener', undefined)
    const call = fc.record({ account: fc.nat(2), process: fc.nat(1), kind })
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 0, max: 10 }),
        async (calls, burst, details) => {
          const limits = limitsOf(burst, details)
          const processes = [createAdmission(database.db, limits), createAdmission(database.db, limits)]
          const tokens = [await newToken(), await newToken(), await newToken()]
          const minute = await currentMinute()
          const admissions = await Promise.all(
            calls.map(async ({ account, process, kind }) => {
              const [admit, token] = [processes[process], tokens[account]]
              if (!admit || !token) throw new Error('out of range')
              return { kind, account, admission: await admit(token, '10.0.0.1', kind) }
            }),
          )
          fc.pre(minute === (await currentMinute()))
          for (const account of [0, 1, 2]) {
            const own = admissions.filter((each) => each.account === account)
            const pastBurst = own.filter(({ admission }) => admission.exhausted?.limit !== burst || admission.daily)
            expect(pastBurst).toHaveLength(Math.min(own.length, burst))
            const remaining = pastBurst.map(({ admission }) => admission.burst.remaining).sort((a, b) => b - a)
            expect(remaining).toEqual(pastBurst.map((_, index) => burst - 1 - index))

            const asked = pastBurst.filter((each) => each.kind === 'details')
            const got = asked.filter(({ admission }) => admission.unit)
            expect(got).toHaveLength(Math.min(asked.length, details))
            const left = got.map(({ admission }) => admission.daily?.remaining ?? -1).sort((a, b) => b - a)
            expect(left).toEqual(got.map((_, index) => details - 1 - index))
            expect(pastBurst.some((each) => each.kind === 'screener' && !each.admission.exhausted)).toBe(false)
          }
        },
      ),
      { numRuns: draws(25) },
    )
  })

  test('a call that is refused uses no unit and does not affect concurrent calls', async () => {
    const admit = createAdmission(database.db, limitsOf(100, 100))
    const [good, suspended, expired] = [await newToken(), await newToken(), await newToken()]
    await suspendAccount(database.db, suspended.accountId, 'test')
    const nobody = { ...good, sessionId: '00000000-0000-4000-8000-000000000000' }
    const outcomes = await Promise.allSettled(
      [
        good,
        suspended,
        { ...expired, expiresAt: expired.issuedAt - 1 },
        nobody,
        { ...good, kid: 'withdrawn' },
        good,
      ].map((token) => admit(token, '10.0.0.1', 'details')),
    )
    expect(
      outcomes.map((each) => (each.status === 'fulfilled' ? each.value.daily?.remaining : each.reason.code)),
    ).toEqual([99, 'ACCOUNT_SUSPENDED', 'TOKEN_EXPIRED', 'UNAUTHENTICATED', 'UNAUTHENTICATED', 98])
  })
})

test('of accounts in one moment each has what is left of its own day and kind, whatever the plan of another', async () => {
  const day = { search: 100, screener: 0 }
  const daily = { free: { ...day, details: 3 }, premium: { ...day, details: 100 } }
  const admit = createAdmission(database.db, { burstPerMinute: 100, daily })
  // A premium account between two others, in whichever order they are looked at.
  const accounts = await Promise.all([newToken(), newToken(), newToken()])
  const [, premium] = accounts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))
  await database.db.execute(`UPDATE access.account SET plan = 'premium' WHERE account_id = $1`, [premium?.accountId])
  await database.db.execute(
    `INSERT INTO access.daily_usage (account_id, kind, day, used)
     SELECT account_id, kind, (now() AT TIME ZONE 'UTC')::date, CASE WHEN plan = 'free' AND kind = 'details' THEN 3 ELSE 50 END
     FROM access.account, unnest('{details,search}'::text[]) AS kind WHERE account_id = ANY ($1)`,
    [accounts.map(({ accountId }) => accountId)],
  )
  const calls = accounts.flatMap((token) => (['details', 'search'] as const).map((kind) => ({ token, kind })))
  const admissions = await Promise.all(calls.map(({ token, kind }) => admit(token, '10.0.0.1', kind)))
  const passed = calls.map(({ token, kind }) => kind === 'search' || token === premium)
  expect(admissions.map(({ unit }) => Boolean(unit))).toEqual(passed)
})

/** Units of the burst limit are of a minute: calls that are to share one must not straddle its turn. */
async function currentMinute(): Promise<number> {
  const [row] = await database.db.query<{ minute: number }>('SELECT extract(minute FROM now()) AS minute')
  return row?.minute ?? Number.NaN
}

test('units go back exactly, whatever is admitted meanwhile and in whichever process, and those of one moment together', async () => {
  const statements: string[] = []
  const watched: Queryable = {
    ...database.db,
    execute: (sql, values) => {
      statements.push(typeof sql === 'string' ? sql : sql.name)
      return database.db.execute(sql, values)
    },
  }
  const limits = limitsOf(1_000_000, 1_000)
  const processes = [createUnitReturns(watched), createUnitReturns(watched)]
  const admit = createAdmission(database.db, limits)
  const tokens = [await newToken(), await newToken()]
  const used = async () =>
    database.db.query<{ used: number }>(
      `SELECT used FROM access.daily_usage WHERE account_id = ANY($1) AND kind = 'details' ORDER BY account_id`,
      [tokens.map(({ accountId }) => accountId).toSorted()],
    )
  const take = () =>
    Promise.all(Array.from({ length: 40 }, (_, n) => admit(tokens[n % 2] as AccessToken, '10.0.0.1', 'details')))
  const first = await take()
  expect(await used()).toEqual([{ used: 20 }, { used: 20 }])
  // Every unit of the first goes back while as many are taken.
  await Promise.all([
    take(),
    ...first.map(async ({ unit }, n) => {
      if (!unit) throw new Error('no unit was taken')
      await processes[n % 2]?.(unit)
    }),
  ])
  expect(await used()).toEqual([{ used: 20 }, { used: 20 }])
  expect(statements.length).toBeLessThan(10)
})
