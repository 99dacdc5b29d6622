/** /readyz, asked by whoever likes: one probe serves all who ask at once, and a database that is silent is named. */
import { expect, test } from 'vitest'
import { createReadiness } from '../../src/api/readiness.ts'
import { useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const bounds = { sharedMs: 1_000, timeoutMs: 20 }

test('a thousand who ask within a second share one probe; a second later there is another', async () => {
  let nowMs = 0
  let probes = 0
  const probe = async () => {
    probes++
  }
  const readiness = createReadiness(probe, bounds, () => nowMs)
  await Promise.all(Array.from({ length: 1_000 }, () => readiness()))
  nowMs = 999
  await readiness()
  expect(probes).toBe(1)
  nowMs = 1_000
  await readiness()
  expect(probes).toBe(2)
})

test('a probe that does not end is abandoned with a reason, and no second one is started', async () => {
  let nowMs = 0
  let probes = 0
  const hanging = Promise.withResolvers<never[]>()
  const probe = () => {
    probes++
    return hanging.promise
  }
  const readiness = createReadiness(probe, bounds, () => nowMs)
  const silent = { code: 'UNAVAILABLE', extra: { reason: 'database_silent' } }
  await expect(readiness()).rejects.toMatchObject(silent)
  nowMs = 60_000
  await expect(readiness()).rejects.toMatchObject(silent)
  expect(probes).toBe(1)
  hanging.resolve([])
  await hanging.promise
  await new Promise((resolve) => setImmediate(resolve))
  await expect(readiness()).resolves.toBeUndefined()
})

test('it is answered while every connection of the pool is taken, and health without any', async () => {
  const held = Promise.withResolvers<void>()
  const taken = Array.from({ length: 10 }, () => database.db.withConnection(() => held.promise))
  expect((await api.get('/healthz')).statusCode).toBe(200)
  held.resolve()
  await Promise.all(taken)
  expect((await api.get('/readyz')).json()).toEqual({ status: 'ok' })
})
