/** An org that is replaced under the same credentials, as a sandbox that is refreshed: it is another account, and is treated as one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Connector } from '../../../connectors/contract.ts'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { showDestination } from '../../../src/deliver/destinations/destination-view.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const refreshed = createSalesforceSandbox({ orgId: '00D000000000002EAA' })
let server: RunningSandboxes

beforeAll(async () => {
  server = await startSandboxes([refreshed], { port: 0 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await world.stopWorker()
  refreshed.reset()
})

/** Salesforce, but the stored credentials lead into the refreshed org. */
const parts = () => {
  const elsewhere: Connector = {
    ...salesforce,
    open: (_, options) => salesforce.open(salesforce.readSettings(server.settings('salesforce')), options),
  }
  return { ...world.parts(), connectors: [elsewhere] }
}
const held = (records: ReturnType<typeof refreshed.records>) =>
  records.map(({ properties }) => properties['Panji_Id__c']).toSorted()
const ids = (...leads: number[]) => leads.map((n) => gstLead(n).externalId).toSorted()

test('the next delivery into a refreshed org verifies it, and brings it everything that the org before had', async () => {
  const destinationId = await world.addDestination('salesforce')
  const first = await world.order([gstLead(1), gstLead(2)])
  await world.push(first, destinationId)
  await reconcile(world.parts(), destinationId, signal)
  const before = world.box('salesforce').records()
  expect(held(before)).toEqual(ids(1, 2))

  const second = await world.order([gstLead(1, { City: 'Ponda' }), gstLead(3)])
  await world.push(second, destinationId)
  expect(await reconcile(parts(), destinationId, signal)).toMatchObject({ failure: null })
  expect((await showDestination(world.parts(), destinationId)).remote_account).toBe('00D000000000002')
  expect(held(refreshed.records())).toEqual(ids(1, 2, 3))
  expect(world.box('salesforce').records()).toEqual(before)
  expect(await world.counts(second)).toEqual({ acknowledged: 2, rejected: 0, open: 0 })
  const accounts = await world.database.db.query<{ account: string | null }>(
    'SELECT DISTINCT remote_account AS account FROM deliver.delivery WHERE order_id = $1',
    [first],
  )
  expect(accounts, 'what the org before accepted stays its own').toEqual([{ account: '00D000000000001' }])
})

test('a recall that meets a refreshed org first leaves its set-up to the next delivery', async () => {
  const destinationId = await world.addDestination('salesforce')
  const lead = directorLead(1)
  await world.push(await world.order([gstLead(1), lead]), destinationId)
  await reconcile(world.parts(), destinationId, signal)
  await asOperator(() =>
    world.database.as('panji_api').transaction((tx) =>
      addSuppressions(tx, recordJobs(), {
        objections: [readObjection('din', lead.externalId.slice('director:'.length)) ?? []].flat(),
        actor: overHttp,
      }),
    ),
  )
  await recallLeads(parts(), signal)
  expect(await reconcile(parts(), destinationId, signal)).toMatchObject({ failure: null })
  expect(held(refreshed.records())).toEqual(ids(1))
  const [record] = refreshed.records()
  expect(record?.properties, 'the fields of the new org were made').toHaveProperty('GSTIN__c', gstLead(1).row['GSTIN'])
})

test('a plan for a refreshed org says what it does there', async () => {
  const destinationId = await world.addDestination('salesforce')
  const orderId = await world.order([gstLead(1), gstLead(2)])
  await world.push(orderId, destinationId)
  await reconcile(world.parts(), destinationId, signal)
  expect(await planPush(parts(), { orderId, destinationId }, signal)).toMatchObject({
    counts: { create: 2, unchanged: 0, conflict: 0 },
  })
  await reconcile(parts(), destinationId, signal)
  expect(held(refreshed.records())).toEqual(ids(1, 2))
})
