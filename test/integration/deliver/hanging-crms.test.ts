/** CRMs that hang hold a part of the places in which a process delivers; what other accounts bought goes out meanwhile. */
import { expect, test } from 'vitest'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const db = () => world.database.db

test('CRMs that failed to answer again and again hold two places between them, others get their leads meanwhile, and none is forgotten', async () => {
  const orderId = await world.order([gstLead(1)])
  const hanging = await Promise.all(
    [1, 2, 3, 4].map((n) => world.addDestination('salesforce', { timeout_ms: 60_000 }, `Org ${n}`)),
  )
  const other = await world.addDestination('hubspot')
  await db().execute('UPDATE deliver.destination SET failures = 2 WHERE destination_id = ANY($1)', [hanging])
  world.box('salesforce').addFault({ kind: 'timeout', times: 1_000 })
  for (const destinationId of hanging) await world.push(orderId, destinationId)
  const held = async () =>
    (
      await db().query(
        'SELECT FROM deliver.destination WHERE destination_id = ANY($1) AND leased_until > clock_timestamp()',
        [hanging],
      )
    ).length
  await expect.poll(held, { timeout: 20_000 }).toBeGreaterThan(1)
  const delivered = async (destinationId: string) =>
    (
      await db().query(`SELECT FROM deliver.delivery WHERE destination_id = $1 AND state = 'acknowledged'`, [
        destinationId,
      ])
    ).length
  await world.push(orderId, other)
  await expect.poll(() => delivered(other), { timeout: 20_000 }).toBe(1)
  expect(await held()).toBe(2)

  world.box('salesforce').endFaults?.()
  await world.until(async () => expect(await Promise.all(hanging.map(delivered))).toEqual(hanging.map(() => 1)))
  expect(world.box('salesforce').records()).toHaveLength(1)
})
