/** A destination whose CRM rejects too many leads stops, and its account is told. */
import { beforeEach, expect, test } from 'vitest'
import { showDestination } from '../../../src/deliver/destinations/destination-view.ts'
import { resumeDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { enqueueNext } from '../../../src/deliver/push/enqueue.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recordPush } from '../../../src/deliver/push/record-push.ts'
import { claimLeads } from '../../../src/deliver/record/ledger.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import { addWebhook, listEvents } from '../../../src/notify/webhooks/webhooks.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()

beforeEach(() => world.stopWorker())

/** @param bad so many of them have an address that no CRM takes. */
const leads = (from: number, count: number, bad: number) =>
  Array.from({ length: count }, (_, n) => gstLead(from + n, n < bad ? { Email: 'no address' } : {}))

async function deliver(destinationId: string, from: number, count: number, bad: number) {
  const orderId = await world.order(leads(from, count, bad))
  await world.push(orderId, destinationId)
  await reconcile(world.parts(), destinationId, signal)
  return world.counts(orderId)
}

async function paused() {
  const { events } = await listEvents(world.database.db, world.accountId(), { limit: 50, offset: 0 })
  return events.filter(({ type }) => type === 'delivery.paused').map(({ data }) => data)
}

test.each(['salesforce', 'hubspot', 'zoho'])(
  'in %s a twentieth of a hundred rejected leads pauses the destination and tells its account once; fewer do not, and a resume counts anew',
  async (crm) => {
    const destinationId = await world.addDestination(crm)
    const { accountId, database, secretKey } = world
    await addWebhook(database.db, secretKey, { accountId: accountId(), url: 'https://hook.example.com/panji' })
    const view = () => showDestination(world.parts(), destinationId)
    expect(await updateDestination(world.parts(), destinationId, { pauseAtRejected: 0.05 })).toMatchObject({
      pause_at_rejected: 0.05,
    })
    // Below a hundred nothing is judged, however many are rejected.
    expect(await deliver(destinationId, 0, 10, 4)).toEqual({ acknowledged: 6, rejected: 4, open: 0 })
    // Four of 110 and more are no twentieth.
    expect(await deliver(destinationId, 100, 100, 0)).toEqual({ acknowledged: 100, rejected: 0, open: 0 })
    expect((await view()).status).toBe('active')
    expect(await deliver(destinationId, 300, 99, 5)).toEqual({ acknowledged: 94, rejected: 5, open: 0 })
    expect([(await view()).status, await paused()]).toEqual(['active', []])
    expect(await deliver(destinationId, 500, 1, 0)).toEqual({ acknowledged: 1, rejected: 0, open: 0 })
    const reason = '5 of 100 leads were rejected'
    expect(await view()).toMatchObject({ status: 'paused', status_reason: reason })
    expect(await paused()).toEqual([{ destination_id: destinationId, reason }])
    const calls = world.box(crm).calls().length
    expect(await deliver(destinationId, 600, 2, 0)).toEqual({ acknowledged: 0, rejected: 0, open: 2 })
    expect(world.box(crm).calls().length).toBe(calls)
    await resumeDestination(world.parts(), destinationId)
    expect(await deliver(destinationId, 700, 90, 9)).toEqual({ acknowledged: 81, rejected: 9, open: 0 })
    expect((await view()).status).toBe('active')
    expect(await paused()).toHaveLength(1)
  },
  120_000,
)

test('what people deleted in the CRM is answered, and does not count among what it rejects', async () => {
  const destinationId = await world.addDestination('salesforce')
  expect(await deliver(destinationId, 0, 100, 0)).toMatchObject({ acknowledged: 100 })
  await updateDestination(world.parts(), destinationId, { pauseAtRejected: 0.05 })
  const box = world.box('salesforce')
  for (const { id } of box.records().slice(0, 10)) box.remove?.(id)
  await world.database.db.transaction((tx) => resendWithin(tx, world.queue(), { destinationId }))
  await reconcile(world.parts(), destinationId, signal)
  const states = await world.database.db.query(
    `SELECT last_error ->> 'code' AS code, count(*)::int AS records FROM deliver.record WHERE destination_id = $1 GROUP BY 1 ORDER BY 2`,
    [destinationId],
  )
  expect(states).toEqual([
    { code: 'DELETED', records: 10 },
    { code: null, records: 90 },
  ])
  expect(await showDestination(world.parts(), destinationId)).toMatchObject({ status: 'active' })
})

test('what was rejected with a mapping that was replaced while it was on its way goes again, and is neither counted nor reported', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('salesforce')
  await addWebhook(db, world.secretKey, { accountId: world.accountId(), url: 'https://hook.example.com/panji' })
  await updateDestination(world.parts(), destinationId, { pauseAtRejected: 0.05 })
  const orderId = await world.order(leads(0, 100, 0))
  await world.push(orderId, destinationId)
  await enqueueNext(db, destinationId)
  const lease = await takeLease(db, destinationId)
  if (!lease) throw new Error('somebody else holds the destination')
  const refused = { status: 'rejected', code: 'NO', field: null, message: 'no' } as const
  const claimed = await claimLeads(db, lease, 100)
  expect(claimed).toHaveLength(100)
  // As saving a mapping does with all but one.
  await db.execute(`UPDATE deliver.record SET desired_sha256 = '' WHERE destination_id = $1 AND external_id <> $2`, [
    destinationId,
    claimed[0]?.externalId,
  ])
  await recordPush(db, lease, { leads: claimed, outcomes: claimed.map(() => refused), written: new Map() })
  expect(await world.counts(orderId)).toEqual({ acknowledged: 0, rejected: 1, open: 99 })
  expect(await showDestination(world.parts(), destinationId)).toMatchObject({ status: 'active' })
  const { events } = await listEvents(db, world.accountId(), { limit: 50, offset: 0 })
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    [
      'delivery.rejected',
      expect.objectContaining({ rejects: [expect.objectContaining({ record: claimed[0]?.externalId })] }),
    ],
  ])
})

test('of a destination that sets no share nothing is counted, and shares that are none are refused', async () => {
  const destinationId = await world.addDestination('salesforce')
  expect(await deliver(destinationId, 0, 120, 120)).toEqual({ acknowledged: 0, rejected: 120, open: 0 })
  expect(await showDestination(world.parts(), destinationId)).toMatchObject({
    status: 'active',
    pause_at_rejected: null,
  })
  for (const pauseAtRejected of [0, 0.001, 1.01, Number.NaN])
    await expect(updateDestination(world.parts(), destinationId, { pauseAtRejected })).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
    })
})
