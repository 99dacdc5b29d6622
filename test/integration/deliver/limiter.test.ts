import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLimiter, type LimiterOptions } from '../../../src/deliver/lease/limiter.ts'
import type { AppError } from '../../../src/errors.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const { signal } = new AbortController()
const limiterFor = (remoteAccount: string, options: Partial<LimiterOptions> = {}) =>
  createLimiter(database.db, { remoteAccount, callsPerSecond: 10, waitMsMax: 0, ...options })
const outcomes = async (calls: Promise<void>[]) => {
  const settled = await Promise.allSettled(calls)
  return settled.filter(({ status }) => status === 'fulfilled').length
}

test('a vendor’s hint shuts an account for an hour at most', async () => {
  const limiter = limiterFor('bounded hint')
  limiter.observe({ dailyUsed: null, dailyLimit: null, blockedForMs: 999_999_999_000 })
  const error = await limiter.take(1, new AbortController().signal).catch((each: unknown) => each)
  const { retry } = error as { retry: { afterMs: number } }
  expect(retry.afterMs).toBeGreaterThan(3_500_000)
  expect(retry.afterMs).toBeLessThanOrEqual(3_600_000)
})

test('workers that ask at once share one bucket', async () => {
  const account = randomUUID()
  // So slow that nothing refills while the test runs.
  const workers = Array.from({ length: 8 }, () => limiterFor(account, { callsPerSecond: 0.001 }))
  await database.db.execute('INSERT INTO deliver.limiter (remote_account, tokens) VALUES ($1, 1)', [account])
  expect(await outcomes(workers.map((worker) => worker.take(1, signal)))).toBe(1)
})

test('a block by the vendor holds for every worker until its time', async () => {
  const account = randomUUID()
  const [one, two] = [limiterFor(account), limiterFor(account)]
  await one.take(1, signal)
  one.observe({ dailyUsed: null, dailyLimit: null, blockedForMs: 60_000 })
  await one.flush()
  await expect(two.take(1, signal)).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE' })
  const refusal = await two.take(1, signal).catch((error: { retry: { afterMs: number } }) => error.retry.afterMs)
  expect(refusal).toBeGreaterThan(50_000)
  expect(refusal).toBeLessThanOrEqual(60_000)
})

test('a refusal says when calls are taken again, and nothing of the key by which the bucket is found', async () => {
  const account = `${randomUUID()}/zoho:127.0.0.1:8081/5f2e13ec226b0e0b`
  const limiter = limiterFor(account)
  limiter.observe({ dailyUsed: null, dailyLimit: null, blockedForMs: 60_000 })
  const error = await limiter.take(1, signal).catch((each: unknown) => each)
  const { message, retry, retryAfterSeconds } = error as AppError
  expect(message).toBe("Panji's calls to the CRM are used up for now")
  const { afterMs } = retry as { afterMs: number }
  expect(retryAfterSeconds).toBe(Math.ceil(afterMs / 1000))
})

test('a share of the day’s quota stays with the customer', async () => {
  const limiter = limiterFor(randomUUID(), { customerShare: 0.2 })
  await limiter.take(1, signal)
  limiter.observe({ dailyUsed: 79, dailyLimit: 100 })
  await limiter.take(1, signal)
  await expect(limiter.take(1, signal)).rejects.toMatchObject({ retry: { afterMs: expect.any(Number) } })
  limiter.observe({ dailyUsed: 20, dailyLimit: 100 })
  await limiter.take(1, signal)
})

test('a window that the vendor names sets the pace for every worker, and no nonsense does', async () => {
  const account = randomUUID()
  const [one, two] = [limiterFor(account), limiterFor(account)]
  const nothing = { dailyUsed: null, dailyLimit: null }
  one.observe({ ...nothing, pace: { calls: 100, perMs: 3_600_000 } })
  await one.flush()
  one.observe({ ...nothing, pace: { calls: 999_999_999, perMs: 1 } })
  await one.flush()
  await database.db.execute(
    `UPDATE deliver.limiter SET refilled_at = now() - interval '1 day' WHERE remote_account = $1`,
    [account],
  )
  // After a rest 2 % of the window at once; then 95 % of it flow.
  expect(await outcomes(Array.from({ length: 8 }, () => two.take(1, signal)))).toBe(2)
  const refusal = await two.take(1, signal).catch((error: { retry: { afterMs: number } }) => error.retry.afterMs)
  expect(refusal).toBeGreaterThan(20_000)
  expect(refusal).toBeLessThanOrEqual(3_600_000 / 95 + 1)
})

test('a short wait is spent in the job, and an abort ends it', async () => {
  const limiter = limiterFor(randomUUID(), { waitMsMax: 60_000, callsPerSecond: 20 })
  for (let n = 0; n < 21; n += 1) await limiter.take(1, signal)
  const controller = new AbortController()
  limiter.observe({ dailyUsed: null, dailyLimit: null, blockedForMs: 30_000 })
  const waiting = limiter.take(1, controller.signal)
  controller.abort()
  await expect(waiting).rejects.toThrow(/abort/i)
})
