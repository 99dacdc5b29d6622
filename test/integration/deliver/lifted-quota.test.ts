/** A person who asks for another try is not told to wait for a limit that may be lifted by now: the CRM is asked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectorsOf } from '../../../connectors/index.ts'
import { sandboxes } from '../../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addDestination, resumeDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount } from './paid-order.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const connectors = connectorsOf(undefined)
const parts = { db: database.as('panji_api'), connectors, secretKey }
const { signal } = new AbortController()
let server: RunningSandboxes

beforeAll(async () => {
  server = await startSandboxes(sandboxes(), { port: 0 })
})
afterAll(async () => {
  await server.close()
})

const acts: Readonly<Record<string, (destinationId: string, crm: string) => Promise<unknown>>> = {
  resume: (id) => resumeDestination(parts, id),
  'new settings': (id, crm) => updateDestination(parts, id, { settings: server.settings(crm) }),
  'a test': (id) => testDestination(parts, id, signal),
}

describe.each(['salesforce', 'hubspot', 'zoho'])('%s', (crm) => {
  const add = async () => {
    const accountId = await insertAccount(database.db)
    const given = { accountId, connector: crm, name: 'CRM', settings: server.settings(crm) }
    return (await addDestination(database.db, connectors, secretKey, given)).destination_id
  }
  const limiterOf = async (id: string) => openDestination(parts, await readDestination(database.db, id), signal).limiter
  const usedUp = { dailyUsed: 1000, dailyLimit: 1000, blockedForMs: 3_600_000 }
  const shut = async (id: string, report: Parameters<Awaited<ReturnType<typeof limiterOf>>['observe']>[0]) => {
    const limiter = await limiterOf(id)
    await limiter.take(0, signal).catch(() => {})
    limiter.observe(report)
    await limiter.flush()
    return limiter
  }

  test.each(Object.keys(acts))('%s asks again at once where the quota of the day was used up', async (act) => {
    const id = await add()
    if (act !== 'new settings') await testDestination(parts, id, signal)
    const limiter = await shut(id, usedUp)
    await expect(limiter.take(1, signal)).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE' })
    await acts[act]?.(id, crm)
    await (await limiterOf(id)).take(1, signal)
  })

  test('resume shortens no wait of a window, and what the CRM says next counts', async () => {
    const id = await add()
    const limiter = await shut(id, { dailyUsed: null, dailyLimit: null, blockedForMs: 30_000 })
    await resumeDestination(parts, id)
    expect(await limiter.waitMs()).toBeGreaterThan(20_000)
    const other = await add()
    const full = await shut(other, usedUp)
    await resumeDestination(parts, other)
    await full.take(1, signal)
    full.observe(usedUp)
    await expect(full.take(1, signal)).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE' })
  })
})

test('credits of Zoho that came back are used again, although it reports none in the first half of the day’s', async () => {
  const accountId = await insertAccount(database.db)
  const settings = { ...server.settings('zoho'), daily_credits: 1_000 }
  const given = { accountId, connector: 'zoho', name: 'CRM', settings }
  const { destination_id: id } = await addDestination(database.db, connectors, secretKey, given)
  expect((await testDestination(parts, id, signal)).checks).toContainEqual({
    ...{ name: 'quota', ok: true, detail: '1000 calls a day, of which the CRM does not say how many are used' },
  })
  const open = async () => openDestination(parts, await readDestination(database.db, id), signal)
  const { limiter } = await open()
  limiter.observe({ dailyUsed: 900, dailyLimit: 1_000 })
  await expect(limiter.take(1, signal)).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE' })

  await database.db.execute(`UPDATE deliver.limiter SET daily_read_at = now() - interval '15 minutes'`)
  const { session, limiter: later } = await open()
  expect(await session.describe()).not.toEqual([])
  await later.flush()
  expect(await later.waitMs()).toBe(0)
})
