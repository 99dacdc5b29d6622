/** A destination that is reconnected to another org of the same CRM: the org before keeps its leads, the new one gets each once, under its own ids. */
import { beforeEach, expect, test } from 'vitest'
import type { Sandbox, SandboxRecord } from '../../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { startSandboxes } from '../../../sandboxes/server.ts'
import { createZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { showDestination } from '../../../src/deliver/destinations/destination-view.ts'
import { addDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()

beforeEach(() => world.stopWorker())

const orgs = [
  ['salesforce', createSalesforceSandbox({ orgId: '00D000000000002EAA' }), '00D000000000002', 'composite/sobjects'],
  ['hubspot', createHubspotSandbox({ portalId: 4711 }), '4711', '/batch/upsert'],
  ['zoho', createZohoSandbox({ organizationId: '60009876543' }), '60009876543', 'POST /crm/v8/Leads'],
] as const

/** By external id, the records that stand for it. */
function held(box: Sandbox): Readonly<Record<string, readonly SandboxRecord[]>> {
  const named = box.records().flatMap((record) => {
    const id = Object.values(record.properties).find((value) => typeof value === 'string' && value.startsWith('gst:'))
    return id === undefined ? [] : [[String(id), record] as const]
  })
  return Object.fromEntries(
    [...Map.groupBy(named, ([id]) => id)].map(([id, records]) => [id, records.map(([, record]) => record)]),
  )
}
const once = (leads: readonly number[]) => leads.map((n) => gstLead(n).externalId).toSorted()

test.each(orgs)(
  '%s: leads that lie in the org before stay there, the new one holds each once and its own records as they were, and so it is after the way back',
  async (crm, elsewhere, account, write) => {
    const { db } = world.database
    const running = await startSandboxes([elsewhere], { port: 0 })
    try {
      const run = async (id: string) => {
        await world.endWaits()
        return reconcile(world.parts(), id, signal)
      }
      // Somebody else's leads in the new org, under the ids that the org before gave to these.
      const stranger = await insertAccount(db)
      const theirs = await addDestination(db, world.connectors, world.secretKey, {
        accountId: stranger,
        connector: crm,
        name: 'Theirs',
        settings: running.settings(crm),
      })
      await world.push(
        await insertOrder(
          db,
          stranger,
          [11, 12, 13, 14, 15].map((n) => gstLead(n)),
        ),
        theirs.destination_id,
      )
      expect(await run(theirs.destination_id)).toMatchObject({ failure: null })
      const foreign = held(elsewhere)

      const box = world.box(crm)
      const destinationId = await world.addDestination(crm)
      const first = await world.order([1, 2, 3].map((n) => gstLead(n)))
      await world.push(first, destinationId)
      expect(await run(destinationId)).toMatchObject({ failure: null })
      const ids = (of: Readonly<Record<string, readonly SandboxRecord[]>>) =>
        Object.values(of).flatMap((each) => each.map(({ id }) => id))
      expect(ids(foreign)).toEqual(expect.arrayContaining(ids(held(box))))
      // Of one nobody knows whether it was written.
      box.addFault({ kind: 'timeout_after_commit', match: write })
      await world.push(await world.order([gstLead(4)]), destinationId)
      const lost = run(destinationId)
      await expect.poll(() => Object.keys(held(box)), { timeout: 60_000 }).toHaveLength(4)
      box.endFaults?.()
      // Nor does the org answer whoever asks for it.
      box.addFault({ kind: 'status', status: 503, times: 100 })
      await lost
      box.endFaults?.()
      const before = held(box)

      await updateDestination(world.parts(), destinationId, { settings: running.settings(crm) })
      const news = await world.order([gstLead(1, { City: 'Ponda' }), gstLead(4, { City: 'Ponda' }), gstLead(5)])
      await world.push(news, destinationId)
      await world.push(first, destinationId)
      await db.transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId }))
      expect(await run(destinationId)).toMatchObject({ failure: null })
      expect(held(box)).toEqual(before)
      expect(Object.keys(held(elsewhere)).toSorted()).toEqual(once([1, 2, 3, 4, 5, 11, 12, 13, 14, 15]))
      expect(Object.values(held(elsewhere)).every((each) => each.length === 1)).toBe(true)
      expect(held(elsewhere)).toMatchObject(foreign)
      expect(JSON.stringify(held(elsewhere)[gstLead(1).externalId])).toContain('Ponda')
      expect((await showDestination(world.parts(), destinationId)).remote_account).toBe(account)
      const told = await db.query<{ record: string; id: string; state: string; unconfirmed: unknown }>(
        'SELECT external_id AS record, crm_id AS id, state, unconfirmed FROM deliver.record WHERE destination_id = $1',
        [destinationId],
      )
      expect(told).toHaveLength(5)
      for (const { record, id, ...rest } of told) {
        expect(held(elsewhere)[record]?.[0]?.id, record).toBe(id)
        // What the org before never answered is no matter of this one.
        expect(rest, record).toEqual({ state: 'acknowledged', unconfirmed: null })
      }

      // And back: what is newer arrives in the record that is there.
      const there = held(elsewhere)
      await updateDestination(world.parts(), destinationId, { settings: world.settings(crm) })
      const back = [gstLead(2, { City: 'Mapusa' }), gstLead(4, { City: 'Margao' }), gstLead(6)]
      await world.push(await world.order(back), destinationId)
      await db.transaction((tx) => resendWithin(tx, world.queue(), { destinationId }))
      expect(await run(destinationId)).toMatchObject({ failure: null })
      expect(held(elsewhere)).toEqual(there)
      const after = held(box)
      expect(Object.keys(after).toSorted()).toEqual(once([1, 2, 3, 4, 5, 6]))
      expect(Object.values(after).every((each) => each.length === 1)).toBe(true)
      for (const [id, records] of Object.entries(before)) expect(after[id]?.[0]?.id, id).toBe(records[0]?.id)
      expect(JSON.stringify(after[gstLead(1).externalId])).toContain('Ponda')
      expect(JSON.stringify(after[gstLead(2).externalId])).toContain('Mapusa')
      // What was sent there and never answered is no edit of its people.
      expect(JSON.stringify(after[gstLead(4).externalId])).toContain('Margao')
    } finally {
      await running.close()
    }
  },
)
