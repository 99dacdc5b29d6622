/** An administrator changes a field of a CRM that holds leads: its destination says what to do, others go on, and once it is done all leads are in. */
import { beforeEach, expect, test } from 'vitest'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { saveMapping } from '../../../src/deliver/mapping/change-mapping.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { resendUnplanned } from '../../../src/deliver/resend/resend.ts'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const inTown = { City: 'Vasco da Gama' }
const news = [gstLead(1, inTown), companyLead(1, inTown), gstLead(2)]

beforeEach(() => world.stopWorker())

const reconciled = (destinationId: string) => reconcile(world.parts(), destinationId, signal)
const held = (crm: string) => world.box(crm).records().length

const others = { salesforce: 'hubspot', hubspot: 'zoho', zoho: 'salesforce' } as const

test.each([
  ['salesforce', 'Panji_Id__c', { type: 'double' }, { type: 'string' }],
  ['hubspot', 'panji_id', { writable: false }, { writable: true }],
  ['zoho', 'Panji_Id', { length: 10 }, { length: 80 }],
] as const)(
  '%s: an identity field that holds none breaks its destination with what to do, its leads wait, others are delivered, and once it is mended all are in',
  async (crm, field, fault, mended) => {
    const destinationId = await world.addDestination(crm)
    const beside = await world.addDestination(others[crm], {}, 'Beside')
    await world.push(await world.order([gstLead(1), companyLead(1)]), destinationId)
    expect(await reconciled(destinationId)).toMatchObject({ failure: null })
    const before = JSON.stringify(world.box(crm).records())

    world.box(crm).changeField?.(field, fault)
    const orderId = await world.order(news)
    const pushId = await world.push(orderId, destinationId)
    await world.push(orderId, beside)
    const { failure } = await reconciled(destinationId)
    expect(failure).toMatchObject({
      code: 'DESTINATION_INVALID',
      message: expect.stringMatching(/(Setup|Settings) > /),
    })
    expect((await readPush(world.database.db, pushId)).counts).toMatchObject({ pending: 3, rejected: 0, unknown: 0 })
    expect(JSON.stringify(world.box(crm).records())).toBe(before)
    const { ok, checks } = await testDestination(world.parts(), destinationId, signal)
    expect([ok, checks.map(({ detail }) => detail).join(' ')]).toEqual([false, expect.stringContaining('again')])
    expect(await reconciled(beside)).toMatchObject({ failure: null })
    expect(held(others[crm])).toBe(3)

    world.box(crm).changeField?.(field, mended)
    expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
    await world.endWaits()
    expect(await reconciled(destinationId)).toMatchObject({ failure: null })
    const counts = { created: 1, updated: 2, pending: 0, rejected: 0, unknown: 0 }
    expect((await readPush(world.database.db, pushId)).counts).toMatchObject(counts)
    expect(held(crm)).toBe(3)
  },
)

test.each([
  ['salesforce', 'AnnualRevenue'],
  ['zoho', 'Annual_Revenue'],
] as const)(
  '%s: leads that a field required by now keeps out are rejected with what to do, and a retry delivers each once',
  async (crm, field) => {
    const destinationId = await world.addDestination(crm)
    await world.push(await world.order([gstLead(1)]), destinationId)
    expect(await reconciled(destinationId)).toMatchObject({ failure: null })
    world.box(crm).changeField?.(field, { required: true })
    const orderId = await world.order([gstLead(2), companyLead(2)])
    const pushId = await world.push(orderId, destinationId)
    await reconciled(destinationId)
    expect((await readPush(world.database.db, pushId)).counts).toMatchObject({ rejected: 2, created: 0 })
    const told = await world.database.db.query<{ error: { field: string; message: string } }>(
      'SELECT last_error AS error FROM deliver.delivery WHERE order_id = $1',
      [orderId],
    )
    expect(told).toHaveLength(2)
    for (const { error } of told) expect(error).toMatchObject({ field, message: expect.stringContaining('untick') })

    world.box(crm).changeField?.(field, { required: false })
    expect(await world.database.db.transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId }))).toBe(2)
    expect(await reconciled(destinationId)).toMatchObject({ failure: null })
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 2, rejected: 0, open: 0 })
    expect(held(crm)).toBe(3)
  },
)

/** How each CRM refuses a user who may not create fields. */
const mayNotCreate = {
  salesforce: { match: 'tooling/composite', body: [{ errorCode: 'INSUFFICIENT_ACCESS', message: 'not yours' }] },
  hubspot: { match: 'companies/batch/create', body: { category: 'MISSING_SCOPES', message: 'not yours' } },
  zoho: {
    match: 'POST /crm/v8/settings/fields',
    body: { code: 'NO_PERMISSION', status: 'error', message: 'not yours' },
  },
} as const

const map = (destinationId: string, field: string) => {
  const mapping = [{ field, value: { column: 'Status' } }]
  const by = { name: 'test' }
  return saveMapping(world.parts(), world.queue(), { destinationId, mapping, resend: false, by }, signal)
}

/** A property of companies that Panji knows from a mapping alone. */
async function makeOwnStatus(): Promise<void> {
  const { base_url: base, access_token: token } = world.settings('hubspot')
  const reply = await fetch(`${String(base)}/crm/v3/properties/companies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ name: 'own_status', label: 'Own status', type: 'string', fieldType: 'text' },
      groupName: 'information',
    }),
  })
  expect([201, 409]).toContain(reply.status)
}

test.each([
  ['salesforce', { object: 'lead' }, 'Registry_Status__c', 'City', null],
  ['salesforce', { object: 'lead', managed_fields: 'off' }, 'Registry_Status__c', 'City', 'Registry_Status__c'],
  ['salesforce', { object: 'account' }, 'Registry_Status__c', 'BillingCity', null],
  [
    'salesforce',
    { object: 'account', managed_fields: 'off' },
    'Registry_Status__c',
    'BillingCity',
    'Account.Registry_Status__c',
  ],
  ['hubspot', { ownership: { panji_status: 'if_unchanged' } }, 'panji_status', 'city', null],
  ['hubspot', {}, 'own_status', 'city', 'companies.own_status'],
  ['zoho', {}, 'Registry_Status', 'City', null],
  ['zoho', { managed_fields: 'off' }, 'Registry_Status', 'City', 'Registry_Status'],
] as const)(
  '%s %o: a field that was deleted, and created again by the test of one destination or by hand after it, is filled again by each, and one that a rep cleared stays empty',
  async (crm, over, field, cleared, mapped) => {
    const hand = await world.addDestination(crm, 'object' in over ? { object: over.object } : {}, 'Hand')
    const byHand = async () => {
      await openDestination(world.parts(), await readDestination(world.database.db, hand), signal).session.setup()
      if (field === 'own_status') await makeOwnStatus()
    }
    await byHand()
    const destinationId = await world.addDestination(crm, over)
    const beside = await world.addDestination(crm, over, 'Beside')
    for (const each of [destinationId, beside]) {
      if (mapped !== null) await map(each, mapped)
      await world.push(await world.order([gstLead(1), gstLead(2)]), each)
      expect(await reconciled(each)).toMatchObject({ failure: null })
    }
    const box = world.box(crm)
    const filled = box.records().filter(({ properties }) => field in properties)
    expect(filled).toHaveLength(2)
    const [edited] = filled
    box.edit(String(edited?.id), { [cleared]: '' })
    const before = structuredClone(box.records())
    const tested = () => testDestination(world.parts(), destinationId, signal)

    for (const order of [
      [destinationId, beside],
      [beside, destinationId],
    ]) {
      box.dropField?.(field)
      if (order[0] === beside && mapped === null)
        box.addFault({ kind: 'status', status: 403, times: 1, ...mayNotCreate[crm] })
      await tested()
      await byHand()
      expect((await tested()).checks.filter(({ ok }) => !ok)).toEqual([])
      for (const each of order) {
        expect(await resendUnplanned(world.database.db, world.queue(), { destinationId: each })).toBe(2)
        expect(await reconciled(each)).toMatchObject({ failure: null })
        expect(box.records()).toEqual(before)
      }
      box.endFaults?.()
    }
  },
)
