/** An order that is asked for while its destination is paused or removed: its list is whole, although nobody is called, and says what to do. */
import { expect, test } from 'vitest'
import {
  pauseDestination,
  removeDestination,
  resumeDestination,
} from '../../../src/deliver/destinations/destinations.ts'
import { itemsAtOnce } from '../../../src/deliver/push/enqueue.ts'
import { listDeliveries } from '../../../src/deliver/record/list-deliveries.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const count = itemsAtOnce + 100

test('all leads of a large order stand in the list of a paused destination, and are delivered once it goes on', async () => {
  const destination = await world.addDestination('zoho')
  await pauseDestination(world.parts(), destination)
  const orderId = await world.order(Array.from({ length: count }, (_, n) => gstLead(n)))
  await world.push(orderId, destination)
  const listed = async () =>
    (await listDeliveries(world.database.db, { orderId, outcome: 'pending', limit: 1, offset: 0 })).total
  await world.until(async () => expect(await listed()).toBe(count))
  expect(world.box('zoho').calls(), 'nobody is called').toEqual([])
  await resumeDestination(world.parts(), destination)
  await world.until(async () =>
    expect(await world.counts(orderId)).toEqual({ acknowledged: count, rejected: 0, open: 0 }),
  )
})

test('a lead that waits for a destination that was paused, and removed then, says what lets it go on', async () => {
  const destination = await world.addDestination('hubspot')
  await pauseDestination(world.parts(), destination)
  const orderId = await world.order([gstLead(1)])
  await world.push(orderId, destination)
  const told = async () =>
    (await listDeliveries(world.database.db, { orderId, destinationId: destination, limit: 1, offset: 0 }))
      .deliveries[0]
  await world.until(async () =>
    expect(await told()).toMatchObject({
      outcome: 'pending',
      message: 'The destination is paused: by request. Once it is resumed, delivery continues.',
    }),
  )
  await removeDestination(world.parts(), destination)
  const removed = await told()
  expect(removed).toMatchObject({ outcome: 'pending', code: 'CONFLICT' })
  expect(removed?.message).toContain('Connect the CRM again, and push the order to the new destination')
  const again = await world.addDestination('hubspot', {}, 'again')
  await world.push(orderId, again)
  await world.until(async () => expect(world.box('hubspot').records()).toHaveLength(1))
})
