/** Whoever changes a destination while leads are enqueued for it: each waits for the other at most, and both succeed. */
import { beforeEach, expect, test, vi } from 'vitest'
import { resumeDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { saveMapping } from '../../../src/deliver/mapping/change-mapping.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const mapping = [{ field: 'City', value: { constant: 'Panaji' } }]

beforeEach(() => world.stopWorker())

const save = (destinationId: string, resend: boolean) =>
  saveMapping(world.parts(), world.queue(), { destinationId, mapping, resend, by: { name: 'test' } }, signal)
const changes: Readonly<Record<string, (destinationId: string) => Promise<unknown>>> = {
  'a mapping that is saved': (id) => save(id, false),
  'a mapping that is saved and sent again': (id) => save(id, true),
  'new settings': (id) => updateDestination(world.parts(), id, { settings: world.settings('salesforce') }),
  'the end of a pause': (id) => resumeDestination(world.parts(), id),
}

test.each(Object.entries(changes))('%s does not deadlock with a push that enqueues', async (_, change) => {
  const { db } = world.database
  const destinationId = await world.addDestination('salesforce')
  await world.push(await world.order([gstLead(1)]), destinationId)
  await db.execute(`UPDATE deliver.record SET next_attempt_at = now() + interval '1 hour' WHERE destination_id = $1`, [
    destinationId,
  ])
  const orderId = await world.order([gstLead(1), gstLead(2)])
  const waiting = () =>
    db.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
  let changed: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    // The push has locked the record that is there, and has yet to insert the other one.
    await tx.query('SELECT FROM deliver.record WHERE destination_id = $1 FOR UPDATE', [destinationId])
    changed = change(destinationId)
    changed.catch(() => {})
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 10_000 })
    await requestPush(tx, world.queue(), { orderId, destinationId })
  })
  await changed
  expect(
    await db.query('SELECT external_id AS id, state FROM deliver.record WHERE destination_id = $1 ORDER BY 1', [
      destinationId,
    ]),
  ).toEqual([1, 2].map((n) => ({ id: gstLead(n).externalId, state: 'pending' })))
})
