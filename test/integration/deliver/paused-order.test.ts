/** An order that is asked for while its destination is paused: its list is whole, although nobody is called. */
import { expect, test } from 'vitest'
import { pauseDestination, resumeDestination } from '../../../src/deliver/destinations/destinations.ts'
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
