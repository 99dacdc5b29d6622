/** A CRM whose owner must make room: the destination says why it stands still, nothing is lost, and a probe continues automatically. */
import { expect, test, vi } from 'vitest'
import type { HubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import type { SalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import type { ZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { resumeDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const db = () => world.database.db
const org = () => world.box('salesforce') as SalesforceSandbox
const account = () => world.box('hubspot') as HubspotSandbox
const zoho = () => world.box('zoho') as ZohoSandbox
const refusedCall = (crm: string, status: number, body: unknown, match: string) => ({
  fill: () => world.box(crm).addFault({ kind: 'status', status, body, match, times: 1000 }),
  empty: () => world.box(crm).endFaults?.(),
})

const storage = { statusCode: 'STORAGE_LIMIT_EXCEEDED', message: 'storage limit exceeded' }
const licenses = { code: 'LICENSE_LIMIT_EXCEEDED', message: 'the license allows no more records' }
const fillings = {
  salesforce: { fill: () => org().fill(storage), empty: () => org().fill(null) },
  hubspot: { fill: () => account().allow({ records: 0 }), empty: () => account().allow({ records: null }) },
  zoho: { fill: () => zoho().fill(licenses), empty: () => zoho().fill(null) },
}
const ways = [
  {
    way: 'rows that Salesforce has no storage for',
    ...{ crm: 'salesforce', over: {}, why: 'storage limit exceeded', code: 'STORAGE_LIMIT_EXCEEDED' },
    fill: () => org().fill(storage),
    empty: () => org().fill(null),
  },
  {
    way: 'rows of a Salesforce job without storage',
    ...{ crm: 'salesforce', over: { bulk_from: 1 }, why: 'storage limit exceeded', code: 'STORAGE_LIMIT_EXCEEDED' },
    fill: () => org().fill(storage),
    empty: () => org().fill(null),
  },
  {
    way: 'a Salesforce job that fails at its quota',
    ...{ crm: 'salesforce', over: { bulk_from: 1 }, why: 'ApiBatchItems Limit exceeded.', code: 'EXCEEDED_QUOTA' },
    fill: () => org().failJobs('ExceededQuota : ApiBatchItems Limit exceeded.'),
    empty: () => org().failJobs(null),
  },
  {
    way: 'calls that Salesforce refuses for licences',
    ...{ crm: 'salesforce', over: {}, why: 'license limit exceeded', code: 'LICENSE_LIMIT_EXCEEDED' },
    ...refusedCall(
      'salesforce',
      403,
      [{ errorCode: 'LICENSE_LIMIT_EXCEEDED', message: 'license limit exceeded' }],
      '/composite/sobjects',
    ),
  },
  {
    way: 'records that HubSpot’s subscription does not allow',
    ...{ crm: 'hubspot', over: {}, why: 'reached its limit of 0', code: 'LIMIT_EXCEEDED' },
    fill: () => account().allow({ records: 0 }),
    empty: () => account().allow({ records: null }),
  },
  {
    way: 'properties that HubSpot’s subscription does not allow',
    ...{ crm: 'hubspot', over: {}, why: 'reached its limit of 1 custom properties', code: 'DESTINATION_INVALID' },
    fill: () => account().allow({ properties: 1 }),
    empty: () => account().allow({ properties: null }),
  },
  {
    way: 'rows that Zoho’s licence does not allow',
    ...{ crm: 'zoho', over: {}, why: licenses.message, code: licenses.code },
    fill: () => zoho().fill(licenses),
    empty: () => zoho().fill(null),
  },
  {
    way: 'calls that Zoho refuses for licences',
    ...{ crm: 'zoho', over: {}, why: licenses.message, code: licenses.code },
    ...refusedCall('zoho', 403, { ...licenses, details: {}, status: 'error' }, 'POST /crm/v8/Leads'),
  },
]

test.each(ways)(
  '$way pause the destination with the vendor’s word, and a probe goes on once there is room',
  async (given) => {
    const destination = await world.addDestination(given.crm, given.over)
    const orderId = await world.order([gstLead(1), companyLead(1), directorLead(1)])
    given.fill()
    await world.push(orderId, destination)
    const standing = async () =>
      (
        await db().query<{ status: string; reason: string | null; code: string | null }>(
          `SELECT status, status_reason AS reason, failure ->> 'code' AS code
         FROM deliver.destination WHERE destination_id = $1`,
          [destination],
        )
      )[0]
    await vi.waitFor(
      async () =>
        expect(await standing()).toEqual({
          status: 'broken',
          reason: expect.stringContaining(given.why),
          code: given.code,
        }),
      { timeout: 60_000, interval: 50 },
    )
    const calls = () => world.box(given.crm).calls().length
    const before = calls()
    // The probes of a while: each finds the door shut, and no lead is refused.
    await world.until(() => expect(calls()).toBeGreaterThan(before))
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 0, rejected: 0 })
    expect((await standing())?.status).toBe('broken')
    given.empty()
    await world.until(async () =>
      expect(await world.counts(orderId)).toEqual({ acknowledged: 3, rejected: 0, open: 0 }),
    )
    await world.until(async () => expect(await standing()).toEqual({ status: 'active', reason: null, code: null }))
  },
)

const { signal } = new AbortController()

test('once a probe finds room, every lead that waits goes with it, whatever it waited before, and not when a time of its own is up', async () => {
  await world.stopWorker()
  const destination = await world.addDestination('salesforce', { bulk_from: 5_000 })
  const leads = [...[1, 2, 3].map((n) => gstLead(n)), companyLead(1), directorLead(1)]
  const orderId = await world.order(leads)
  org().fill(storage)
  await world.push(orderId, destination)
  const probe = async () => {
    await db().execute('UPDATE deliver.destination SET retry_at = clock_timestamp() WHERE destination_id = $1', [
      destination,
    ])
    await reconcile(world.parts(), destination, signal)
  }
  for (const _time of [1, 2, 3, 4]) await probe()
  expect(await world.counts(orderId)).toMatchObject({ acknowledged: 0, rejected: 0, open: 5 })
  org().fill(null)
  await probe()
  expect(await world.counts(orderId)).toMatchObject({ acknowledged: 5, rejected: 0, open: 0 })
})

test.each(['salesforce', 'hubspot', 'zoho'] as const)(
  '%s: a destination that stands still for want of room says by which menu room is made, and that it continues then',
  async (crm) => {
    await world.stopWorker()
    const destination = await world.addDestination(crm)
    const orderId = await world.order([gstLead(1)])
    const { fill, empty } = fillings[crm]
    fill()
    await world.push(orderId, destination)
    await reconcile(world.parts(), destination, signal)
    const told = await db().query<{ reason: string }>(
      `SELECT status_reason AS reason FROM deliver.destination WHERE destination_id = $1
       UNION ALL SELECT last_error ->> 'message' FROM deliver.delivery WHERE order_id = $2`,
      [destination, orderId],
    )
    empty()
    expect(told).toHaveLength(2)
    for (const { reason } of told) {
      expect(reason).toMatch(
        /\. What to do: Set(up|tings) > .*; Panji continues automatically, and at once when you resume/,
      )
      expect(reason.match(/What to do/g)).toHaveLength(1)
    }
  },
)
const acts: Readonly<Record<string, (destinationId: string) => Promise<unknown>>> = {
  resume: (id) => resumeDestination(world.parts(), id),
  'new settings': (id) => updateDestination(world.parts(), id, { settings: world.settings('zoho') }),
  'a test': (id) => testDestination(world.parts(), id, signal),
}

test.each(Object.entries(acts))(
  'once room is made, every lead that waits goes at once after %s, not when its own time is up',
  async (_name, act) => {
    await world.stopWorker()
    const destination = await world.addDestination('zoho')
    const orderId = await world.order([gstLead(1), companyLead(1), directorLead(1)])
    zoho().fill(licenses)
    await world.push(orderId, destination)
    await reconcile(world.parts(), destination, signal)
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 0, open: 3 })
    zoho().fill(null)
    await act(destination)
    await reconcile(world.parts(), destination, signal)
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 3, open: 0 })
  },
)
