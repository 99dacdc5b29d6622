/** CRMs that hang hold a part of the places in which a process delivers; what other accounts bought goes out meanwhile. */
import { expect, test } from 'vitest'
import { type Lease, releaseLease, takeLease } from '../../../src/deliver/lease/lease.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

/** The places that CRMs which hang have between them. */
const places = 2

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
  await expect.poll(held, { timeout: 60_000 }).toBeGreaterThan(1)
  const delivered = async (destinationId: string) =>
    (
      await db().query(`SELECT FROM deliver.delivery WHERE destination_id = $1 AND state = 'acknowledged'`, [
        destinationId,
      ])
    ).length
  await world.push(orderId, other)
  await expect.poll(() => delivered(other), { timeout: 60_000 }).toBe(1)
  expect(await held()).toBe(places)

  world.box('salesforce').endFaults?.()
  await world.until(async () => expect(await Promise.all(hanging.map(delivered))).toEqual(hanging.map(() => 1)))
  expect(world.box('salesforce').records()).toHaveLength(1)
})

test('CRMs that hang and are asked for at one moment take no more places than there are', async () => {
  const hanging = await Promise.all(
    Array.from({ length: 5 }, (_, n) => world.addDestination('salesforce', {}, `Org ${n}`)),
  )
  await db().execute('UPDATE deliver.destination SET failures = 2 WHERE destination_id = ANY($1)', [hanging])
  const given: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const asked = await Promise.all(hanging.map((destinationId) => takeLease(db(), destinationId)))
    const leases = asked.filter((each): each is Lease => each !== null)
    given.push(leases.length)
    for (const lease of leases) await releaseLease(db(), lease)
  }
  expect(given).toEqual(given.map(() => places))
})
