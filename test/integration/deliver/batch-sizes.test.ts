/** Leads go in as many at once as the CRM's own code bears and the customer set, at the hours that they set. */
import { beforeEach, expect, test } from 'vitest'
import type { SandboxCall } from '../../../sandboxes/contract.ts'
import type { SalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { showDestination } from '../../../src/deliver/destinations/destination-view.ts'
import { updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { wakeDue } from '../../../src/deliver/push/wake.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const leads = (from: number, count: number) => Array.from({ length: count }, (_, n) => gstLead(from + n))

beforeEach(() => world.stopWorker())

async function deliver(orderId: string, destinationId: string) {
  const pushId = await world.push(orderId, destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  return (await readPush(world.database.db, pushId)).counts
}

const rowsOf = ({ body }: SandboxCall): number =>
  (body as { records?: unknown[]; inputs?: unknown[] } | null)?.['records' in (body as object) ? 'records' : 'inputs']
    ?.length ?? 0
const sizes = (crm: string, of: RegExp) =>
  world
    .box(crm)
    .calls()
    .filter(({ path, method }) => method !== 'GET' && of.test(path))
    .map(rowsOf)

test('a trigger that bears ten rows takes them all in the end; the size is remembered until the destination is tested', async () => {
  const org = world.box('salesforce') as SalesforceSandbox
  const destinationId = await world.addDestination('salesforce')
  const view = () => showDestination(world.parts(), destinationId)
  org.limitTriggers(10)
  expect(await deliver(await world.order(leads(0, 45)), destinationId)).toMatchObject({ created: 45, rejected: 0 })
  expect(org.records()).toHaveLength(45)
  const { learned_batch_size: learned } = await view()
  expect(learned).toBeGreaterThanOrEqual(5)
  expect(learned).toBeLessThanOrEqual(10)

  const before = sizes('salesforce', /composite\/sobjects/).length
  expect(await deliver(await world.order(leads(100, 30)), destinationId)).toMatchObject({ created: 30, rejected: 0 })
  const written = sizes('salesforce', /composite\/sobjects/).slice(before)
  expect(written).toHaveLength(Math.ceil(30 / Number(learned)))
  expect(Math.max(...written)).toBeLessThanOrEqual(Number(learned))

  await testDestination(world.parts(), destinationId, signal)
  expect(await view()).toMatchObject({ learned_batch_size: null })
})

test('a batch size that the customer set holds for every CRM, and a plan counts its calls by it', async () => {
  const destinationId = await world.addDestination('hubspot')
  expect(await updateDestination(world.parts(), destinationId, { batchSize: 7 })).toMatchObject({ batch_size: 7 })
  const orderId = await world.order(leads(0, 20))
  expect(await planPush(world.parts(), { orderId, destinationId }, signal)).toMatchObject({ calls: 6 })
  expect(await deliver(orderId, destinationId)).toMatchObject({ created: 20 })
  // Two go at once, and either may arrive first.
  expect(sizes('hubspot', /objects.*batch\/(upsert|create)$/).toSorted()).toEqual([6, 7, 7])
  expect(await updateDestination(world.parts(), destinationId, { batchSize: null })).toMatchObject({ batch_size: null })
  for (const batchSize of [0, 1.5, 10_001])
    await expect(updateDestination(world.parts(), destinationId, { batchSize })).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
    })
})

test('outside its hours a destination is sent nothing, says so, and continues automatically once they begin', async () => {
  const destinationId = await world.addDestination('zoho')
  const { db } = world.database
  const [clock] = await db.query<{ later: string; now: string }>(
    `SELECT to_char(t + interval '2 hours', 'HH24:MI') || '-' || to_char(t + interval '3 hours', 'HH24:MI') AS later,
       to_char(t - interval '1 hour', 'HH24:MI') || '-' || to_char(t + interval '1 hour', 'HH24:MI') AS now
     FROM (SELECT now() AT TIME ZONE 'Asia/Kolkata' AS t) AS clock`,
  )
  await updateDestination(world.parts(), destinationId, { hours: String(clock?.later) })
  const pushId = await world.push(await world.order(leads(0, 3)), destinationId)
  await db.execute('DELETE FROM pgboss.job')
  expect(await wakeDue(db, world.queue())).toBe(0)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ held: true, touched: 0 })
  expect(world.box('zoho').calls()).toEqual([])
  const waiting = await readPush(db, pushId)
  expect(waiting.counts).toMatchObject({ pending: 3 })
  expect(waiting.failure?.message).toContain(`from ${clock?.later.replace('-', ' to ')} in India`)

  await updateDestination(world.parts(), destinationId, { hours: String(clock?.now) })
  expect(await wakeDue(db, world.queue())).toBe(1)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null, touched: 3 })
  expect((await readPush(db, pushId)).counts).toMatchObject({ created: 3 })
  for (const hours of ['20:00', '24:00-06:00', '06:00-06:00'])
    await expect(updateDestination(world.parts(), destinationId, { hours })).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
    })
})

test.each([
  [null, '2026-07-01T12:00:00Z', true],
  ['20:00-06:00', '2026-07-01T14:29:59Z', false],
  ['20:00-06:00', '2026-07-01T14:30:00Z', true],
  ['20:00-06:00', '2026-07-02T00:29:59Z', true],
  ['20:00-06:00', '2026-07-02T00:30:00Z', false],
  ['09:30-18:00', '2026-07-01T04:00:00Z', true],
  ['09:30-18:00', '2026-07-01T12:30:00Z', false],
])('of the hours %s the moment %s is one: %s', async (hours, at, isOpen) => {
  const [row] = await world.database.db.query<{ open: boolean }>(
    'SELECT deliver.within_hours($1, $2::timestamptz) AS open',
    [hours, at],
  )
  expect(row?.open).toBe(isOpen)
})
