/** Refresh tokens that their vendor gives out anew with each use: the newest is stored before it is needed, whoever spends one meanwhile. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { decryptSettings } from '../../../src/deliver/destinations/settings-cipher.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { suppressionSettings } from '../../support/database.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import type { Answered, Asked } from './renew-elsewhere.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
let server: RunningSandboxes | undefined

beforeEach(() => world.stopWorker())
afterEach(async () => {
  await server?.close()
  server = undefined
  await db().execute('DROP TRIGGER IF EXISTS full_disk ON deliver.destination')
})
const db = () => world.database.db

interface Rotating {
  readonly crm: string
  readonly settings: Record<string, unknown>
  readonly box: ReturnType<typeof createHubspotSandbox> | ReturnType<typeof createSalesforceSandbox>
}

/** A token that was spent is dead, and whoever comes with one is taken for a thief: the newest dies, too. */
async function salesforce(): Promise<Rotating> {
  const first = `first-${crypto.randomUUID()}`
  const app = { rotateRefreshToken: true, revokesReused: true, refreshToken: first }
  const box = createSalesforceSandbox({ app })
  server = await startSandboxes([box], { port: 0 })
  const { client_secret: _, ...signIn } = server.settings('salesforce')
  return { crm: 'salesforce', box, settings: { ...signIn, auth: 'refresh_token', refresh_token: first } }
}

async function hubspot(): Promise<Rotating> {
  const box = createHubspotSandbox({ rotateRefreshTokens: true })
  server = await startSandboxes([box], { port: 0 })
  const { sandbox_pass, base_url } = server.settings('hubspot')
  return { crm: 'hubspot', box, settings: { ...box.oauthSettings(String(base_url)), sandbox_pass } }
}

const crms = [
  ['salesforce', salesforce],
  ['hubspot', hubspot],
] as const

const signIns = ({ box }: Rotating) => box.calls().filter(({ path }) => path.includes('/token'))
const others = ({ box }: Rotating) => box.calls().filter(({ path }) => !path.includes('/token'))

async function destinationOf({ crm, settings }: Rotating): Promise<string> {
  const given = { accountId: world.accountId(), connector: crm, name: 'CRM', settings }
  return (await addDestination(db(), world.connectors, world.secretKey, given)).destination_id
}
async function storedToken(destinationId: string): Promise<unknown> {
  const row = await readDestination(db(), destinationId)
  return (decryptSettings(row.settings, row, world.secretKey) as Record<string, unknown>)['refresh_token']
}
let children: readonly ChildProcess[] = []
beforeAll(() => {
  const script = fileURLToPath(new URL('renew-elsewhere.ts', import.meta.url))
  const given = [world.database.url, world.secretKey.reveal(), JSON.stringify(suppressionSettings)]
  children = [1, 2].map(() => fork(script, given, { stdio: 'inherit' }))
})
afterAll(() => {
  for (const child of children) child.disconnect()
})

let asked = 0
/** @returns why it failed; null where it did not. */
async function elsewhere(process: number, act: Asked['act'], destinationId: string): Promise<string | null> {
  const child = children[process]
  const id = ++asked
  return new Promise((resolve) => {
    const hear = (answer: Answered) => {
      if (answer.id !== id) return
      child?.off('message', hear)
      resolve(answer.failure)
    }
    child?.on('message', hear)
    child?.send({ id, act, destinationId } satisfies Asked)
  })
}

test.each(crms)(
  '%s: processes that renew at once each have a token of their own, nobody comes with a dead one, and the newest is stored',
  async (_, create) => {
    const rotating = await create()
    const destinationId = await destinationOf(rotating)
    expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
    const { session } = openDestination(world.parts(), await readDestination(db(), destinationId), signal)
    for (const process of [0, 1]) expect(await elsewhere(process, 'open', destinationId)).toBeNull()
    const outcomes = await Promise.all([
      ...[0, 1].map((process) => elsewhere(process, 'describe', destinationId)),
      session.describe().then(() => null),
    ])
    expect(outcomes).toEqual([null, null, null])
    // All that they bought ends, and each renews what others have renewed since it read it.
    rotating.box.addFault({ kind: 'expire_token', match: 'GET ', times: 1 })
    await session.limits()
    for (const process of [1, 0]) expect(await elsewhere(process, 'limits', destinationId)).toBeNull()
    expect(new Set(signIns(rotating).map(({ status }) => status))).toEqual(new Set([200]))
    expect(signIns(rotating).length).toBeGreaterThanOrEqual(6)
    const row = await readDestination(db(), destinationId)
    expect(row.settings.includes(Buffer.from(String(await storedToken(destinationId))))).toBe(false)
  },
)

test.each(crms)('%s: an option that is changed while a token is renewed loses none', async (_, create) => {
  const rotating = await create()
  const destinationId = await destinationOf(rotating)
  expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
  expect(await elsewhere(0, 'open', destinationId)).toBeNull()
  rotating.box.addFault({ kind: 'delay', ms: 1_500, match: 'token', times: 1 })
  const renewed = elsewhere(0, 'describe', destinationId)
  await expect.poll(() => rotating.box.faults?.()).toEqual([])
  await updateDestination(world.parts(), destinationId, { options: { on_deleted: 'recreate' } })
  expect(await renewed).toBeNull()
  expect(await elsewhere(1, 'open', destinationId)).toBeNull()
  expect(await elsewhere(1, 'describe', destinationId)).toBeNull()
  expect(new Set(signIns(rotating).map(({ status }) => status))).toEqual(new Set([200]))
  const row = await readDestination(db(), destinationId)
  expect(decryptSettings(row.settings, row, world.secretKey)).toMatchObject({ on_deleted: 'recreate' })
})

test.each(crms)(
  '%s: a token whose successor could not be stored is used for nothing; the destination asks to be connected again, and goes on once it is',
  async (_, create) => {
    const rotating = await create()
    const destinationId = await destinationOf(rotating)
    expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
    await world.push(await world.order([gstLead(1)]), destinationId)
    await db().execute(
      `CREATE OR REPLACE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space' USING ERRCODE = '53100'; END $$`,
    )
    await db().execute(
      `CREATE TRIGGER full_disk BEFORE UPDATE OF settings_encrypted ON deliver.destination FOR EACH ROW EXECUTE FUNCTION public.full_disk()`,
    )
    const before = others(rotating).length
    expect(await elsewhere(0, 'open', destinationId)).toBeNull()
    expect(await elsewhere(0, 'describe', destinationId)).toContain('no space')
    expect(others(rotating)).toHaveLength(before)
    await db().execute('DROP TRIGGER full_disk ON deliver.destination')

    // That process is gone with what it had bought, and what was bought before it ends.
    rotating.box.addFault({ kind: 'expire_token', match: 'GET ', times: 1 })
    await world.endWaits()
    const told = await reconcile(world.parts(), destinationId, signal)
    rotating.box.endFaults?.()
    expect(told.failure).toMatchObject({ message: expect.stringMatching(/sign in anew|connect/i) })
    const [broken] = await db().query('SELECT status FROM deliver.destination WHERE destination_id = $1', [
      destinationId,
    ])
    expect(broken).toEqual({ status: 'broken' })
    expect(rotating.box.records()).toEqual([])

    await updateDestination(world.parts(), destinationId, {
      settings: { ...rotating.settings, refresh_token: newestOf(rotating) },
    })
    await world.endWaits()
    expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
    expect(rotating.box.records()).toHaveLength(1)
  },
)

/** Of another sign-in of the person's. */
const newestOf = ({ box }: Rotating): string => {
  const saved = box.snapshot?.() as {
    app?: { refreshToken: string }
    refreshToken?: string
    state?: { refreshToken: string }
  }
  return saved.app?.refreshToken ?? saved.refreshToken ?? saved.state?.refreshToken ?? ''
}
