/** Which records are recalled, and which are not any more since another order requested them. */
import { beforeEach, expect, test } from 'vitest'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { companyLead, directorLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()

beforeEach(async () => {
  await world.stopWorker()
  for (const table of ['deliver.recall', 'deliver.record', 'access.suppression'])
    await world.database.db.execute(`DELETE FROM ${table}`)
})

const deliver = async (destinationId: string, lead: ReturnType<typeof companyLead>) => {
  const orderId = await world.order([lead])
  await world.push(orderId, destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  return orderId
}
const inCrm = () => world.box('hubspot').records().length
const recalls = () => world.database.db.query('SELECT status, answer FROM deliver.recall ORDER BY requested_at')

test('a lead that was sent long ago and never answered is recalled if it named the person, whatever was sent since', async () => {
  const destinationId = await world.addDestination('hubspot')
  const before = await deliver(destinationId, directorLead(1, { Email: 'asha.before@prabhu.example.com' }))
  await deliver(destinationId, directorLead(1, { Email: 'asha.since@prabhu.example.com' }))
  await world.database.db.execute(
    `UPDATE deliver.record SET unconfirmed = ARRAY(SELECT item_id FROM orders.item WHERE order_id = $2)
     WHERE destination_id = $1`,
    [destinationId, before],
  )
  await asOperator(() =>
    world.database.as('panji_api').transaction((tx) =>
      addSuppressions(tx, recordJobs(), {
        objections: [readObjection('email', 'asha.before@prabhu.example.com') ?? []].flat(),
        actor: overHttp,
      }),
    ),
  )
  expect(await recallLeads(world.parts(), signal)).toEqual({ noted: 1, settled: 1 })
  expect(inCrm()).toBe(0)
})

test('an objection is carried out although the recall of an undone import waits and another order requested the record', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('hubspot')
  const lead = (city: string) => directorLead(1, { Email: 'asha.noted@prabhu.example.com', City: city })
  await deliver(destinationId, lead('Panaji'))
  await db.execute(
    `INSERT INTO deliver.recall (destination_id, external_id, crm_id, reason)
     SELECT destination_id, external_id, crm_id, 'undone' FROM deliver.record WHERE destination_id = $1`,
    [destinationId],
  )
  await world.push(await world.order([lead('Ponda')]), destinationId)
  await asOperator(() =>
    world.database.as('panji_api').transaction((tx) =>
      addSuppressions(tx, recordJobs(), {
        objections: [readObjection('email', 'asha.noted@prabhu.example.com') ?? []].flat(),
        actor: overHttp,
      }),
    ),
  )
  await recallLeads(world.parts(), signal)
  expect(inCrm()).toBe(0)
})

test.each([
  ['before it is delivered', false],
  ['once it is delivered', true],
])(
  'a record that another order requested after its import was undone stays, if its recall goes through %s',
  async (_, deliveredFirst) => {
    const { db } = world.database
    const destinationId = await world.addDestination('hubspot')
    await deliver(destinationId, companyLead(1))
    await db.execute(
      `INSERT INTO deliver.recall (destination_id, external_id, crm_id, reason)
       SELECT destination_id, external_id, crm_id, 'undone' FROM deliver.record WHERE destination_id = $1`,
      [destinationId],
    )
    world.box('hubspot').addFault({ kind: 'status', status: 503, times: 10 })
    await expect(recallLeads(world.parts(), signal)).rejects.toThrow()
    world.box('hubspot').endFaults?.()

    const again = await world.order([companyLead(1, { City: 'Ponda' })])
    await world.push(again, destinationId)
    const settle = async () => {
      await world.endWaits()
      expect(await recallLeads(world.parts(), signal)).toEqual({ noted: 0, settled: 0 })
    }
    const send = async () => {
      await world.endWaits()
      expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
    }
    for (const step of deliveredFirst ? [send, settle] : [settle, send]) await step()
    expect(inCrm()).toBe(1)
    expect(JSON.stringify(world.box('hubspot').records())).toContain('Ponda')
    expect(await world.counts(again)).toEqual({ acknowledged: 1, rejected: 0, open: 0 })
    expect(await recalls()).toMatchObject([{ status: 'kept', answer: { requested_again: true } }])
  },
)
