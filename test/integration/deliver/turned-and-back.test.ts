/** A destination that is turned to another account of its CRM owes the account before what it owes any: no second record, and recalls. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { removeDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { approvePlan } from '../../../src/deliver/plan/approve-plan.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { fixRejected } from '../../../src/deliver/record/rejected/fix-rejected.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { summariseDeliveries } from '../../../src/deliver/record/summarise-deliveries.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const director = directorLead(1)
const leads = [companyLead(1), gstLead(1), director]
/** The same vendor's, of another customer. */
const elsewhere = createHubspotSandbox({ portalId: 4711 })
let server: RunningSandboxes

beforeAll(async () => {
  server = await startSandboxes([elsewhere], { port: 0 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await world.stopWorker()
  await world.database.db.execute('DELETE FROM deliver.recall')
  await world.database.db.execute('DELETE FROM deliver.record')
  await world.database.db.execute('DELETE FROM access.suppression')
  elsewhere.reset()
})

const turn = async (destinationId: string, settings: object) => {
  await updateDestination(world.parts(), destinationId, { settings })
  expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
}
const away = (destinationId: string) => turn(destinationId, server.settings('hubspot'))
const back = (destinationId: string) => turn(destinationId, world.settings('hubspot'))

const held = (box: Sandbox) =>
  box.records().flatMap(({ properties }) => {
    const id = properties['panji_id']
    return typeof id === 'string' ? [id] : []
  })
const here = () => held(world.box('hubspot'))
const idOf = (externalId: string) =>
  world
    .box('hubspot')
    .records()
    .find(({ properties }) => properties['panji_id'] === externalId)?.id ?? ''

async function delivered(): Promise<string> {
  const destinationId = await world.addDestination('hubspot')
  await world.push(await world.order(leads), destinationId)
  await reconcile(world.parts(), destinationId, signal)
  expect(here()).toHaveLength(3)
  return destinationId
}

const object = () =>
  asOperator(() =>
    world.database.as('panji_api').transaction((tx) => {
      const objections = [readObjection('din', director.externalId.slice('director:'.length)) ?? []].flat()
      return addSuppressions(tx, recordJobs(), { objections, actor: overHttp })
    }),
  )
const recalls = () =>
  world.database.db.query<{ status: string }>('SELECT status FROM deliver.recall ORDER BY settled_at, recall_id')
const told = async (destinationId: string, externalId = director.externalId) =>
  (
    await world.database.db.query<{ told: object }>(
      'SELECT last_error AS told FROM deliver.delivery WHERE destination_id = $1 AND external_id = $2',
      [destinationId, externalId],
    )
  )[0]?.told

test('what people deleted in the first account stays deleted there, however often a destination is turned away and back', async () => {
  const destinationId = await delivered()
  world.box('hubspot').remove?.(idOf(companyLead(1).externalId))
  const left = world.box('hubspot').records()
  for (const _turn of ['once', 'twice']) {
    await away(destinationId)
    expect(held(elsewhere).toSorted()).toEqual(leads.map(({ externalId }) => externalId).toSorted())
    await back(destinationId)
    expect(world.box('hubspot').records()).toEqual(left)
  }
  expect(elsewhere.records()).toHaveLength(3)
  // It is one destination all the while.
  expect(await summariseDeliveries(world.database.db, world.accountId())).toHaveLength(1)
})

test('who objects while a destination leads elsewhere is erased there, told of as still lying in the first account, and erased there once it is turned back', async () => {
  const destinationId = await delivered()
  const crmId = idOf(director.externalId)
  await away(destinationId)
  await object()
  expect(await recallLeads(world.parts(), signal)).toMatchObject({ settled: 1 })
  expect(held(elsewhere)).not.toContain(director.externalId)
  expect(here()).toContain(director.externalId)
  expect(await told(destinationId)).toMatchObject({
    code: 'SUPPRESSED',
    message: expect.stringMatching(new RegExp(`delete the record ${crmId} .*24680135`)),
  })

  await back(destinationId)
  await recallLeads(world.parts(), signal)
  expect(here()).not.toContain(director.externalId)
  expect((await recalls()).map(({ status }) => status)).toEqual(['erased', 'erased'])
  expect(await told(destinationId)).toMatchObject({ code: 'SUPPRESSED', message: 'recalled: somebody objected' })
})

test('a recall that waits while a destination is turned away is of the account before, not of the new one', async () => {
  const destinationId = await delivered()
  await object()
  world.box('hubspot').addFault({ kind: 'status', status: 503, times: 10 })
  await expect(recallLeads(world.parts(), signal)).rejects.toThrow()
  world.box('hubspot').endFaults?.()
  await away(destinationId)
  await recallLeads(world.parts(), signal)
  expect(await recalls()).toEqual([{ status: 'failed' }])
  expect(await told(destinationId)).toMatchObject({ message: expect.stringContaining('delete the record') })
  await back(destinationId)
  await recallLeads(world.parts(), signal)
  expect(here()).not.toContain(director.externalId)
  expect(await recalls()).toEqual([{ status: 'erased' }])
})

test('a destination that was removed tells what it still holds of somebody who objected, and a new one into that account erases it', async () => {
  const destinationId = await delivered()
  const crmId = idOf(director.externalId)
  await removeDestination(world.parts(), destinationId)
  await object()
  await recallLeads(world.parts(), signal)
  expect(await told(destinationId)).toMatchObject({ message: expect.stringContaining(`delete the record ${crmId}`) })
  expect(here()).toContain(director.externalId)
  const sent = await world.database.db.query<{ id: string; sent: object | null }>(
    'SELECT external_id AS id, pushed_values AS sent FROM deliver.record WHERE destination_id = $1',
    [destinationId],
  )
  expect(sent.flatMap(({ id, sent: values }) => (values === null ? [id] : []))).toEqual([director.externalId])

  const again = await world.addDestination('hubspot', {}, 'Again')
  await testDestination(world.parts(), again, signal)
  await recallLeads(world.parts(), signal)
  expect(here()).not.toContain(director.externalId)
  expect((await recalls()).map(({ status }) => status)).toEqual(['erased'])
  expect(await told(destinationId)).toMatchObject({ message: 'recalled: somebody objected' })
})

test('what a destination delivered before it was removed and added again is erased once, and nobody is asked to delete it by hand', async () => {
  const destinationId = await delivered()
  await removeDestination(world.parts(), destinationId)
  const again = await world.addDestination('hubspot', {}, 'Again')
  await testDestination(world.parts(), again, signal)
  await object()
  await recallLeads(world.parts(), signal)
  expect(here()).not.toContain(director.externalId)
  expect(await told(destinationId)).toMatchObject({ message: 'recalled: somebody objected' })
  await recallLeads(world.parts(), signal)
  expect((await recalls()).map(({ status }) => status)).toEqual(['erased', 'gone'])
  expect(await told(destinationId)).toMatchObject({ message: 'recalled: somebody objected' })
})

test.each(['a recall', 'a recall that the CRM did not answer yet'])(
  'after %s because of an undone import, the record goes into no other account',
  async (which) => {
    const destinationId = await delivered()
    await world.database.db.execute(
      `INSERT INTO deliver.recall (destination_id, external_id, crm_id, reason)
       SELECT destination_id, external_id, crm_id, 'undone' FROM deliver.record WHERE external_id = $1`,
      [director.externalId],
    )
    if (which === 'a recall') expect(await recallLeads(world.parts(), signal)).toMatchObject({ settled: 1 })
    else {
      world.box('hubspot').addFault({ kind: 'status', status: 503, times: 10 })
      await expect(recallLeads(world.parts(), signal)).rejects.toThrow()
      world.box('hubspot').endFaults?.()
    }
    await away(destinationId)
    expect(held(elsewhere)).toHaveLength(2)
    expect(held(elsewhere)).not.toContain(director.externalId)
    await recallLeads(world.parts(), signal)
    expect(await told(destinationId)).toMatchObject({ code: 'RECALLED' })
  },
)

test.each(['panji_api', 'panji_worker'] as const)(
  'a destination that delivers approved plans only sends nothing into another account before a plan for it is approved, as %s finds it turned',
  async (role) => {
    const destinationId = await delivered()
    const [order] = await world.database.db.query<{ id: string }>(
      'SELECT order_id AS id FROM deliver.delivery WHERE destination_id = $1 LIMIT 1',
      [destinationId],
    )
    const request = { orderId: order?.id ?? '', destinationId }
    await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
    const waits = await world.order([gstLead(2)])
    await world.database.db.transaction((tx) =>
      requestPush(tx, world.queue(), { orderId: waits, destinationId, approved: true }),
    )
    const parts = { ...world.parts(), db: world.database.as(role) }
    await updateDestination(world.parts(), destinationId, { settings: server.settings('hubspot') })
    if (role === 'panji_api') expect(await testDestination(parts, destinationId, signal)).toMatchObject({ ok: true })
    else expect(await reconcile(parts, destinationId, signal)).toMatchObject({ failure: null })
    expect(elsewhere.records()).toEqual([])
    expect(await told(destinationId, gstLead(2).externalId)).toMatchObject({ code: 'NEEDS_APPROVAL' })
    const plan = await planPush(world.parts(), request, signal)
    expect(plan.counts).toMatchObject({ create: 3 })
    await approvePlan(world.parts(), { ...request, hash: plan.hash, adopt: undefined }, signal)
    await world.database.db.transaction((tx) => requestPush(tx, world.queue(), { ...request, approved: true }))
    await reconcile(world.parts(), destinationId, signal)
    expect(held(elsewhere).toSorted()).toEqual(leads.map(({ externalId }) => externalId).toSorted())
    expect(await planPush(world.parts(), { orderId: waits, destinationId }, signal)).toMatchObject({
      counts: { create: 1 },
    })
  },
)

test('of a destination that delivers approved plans only, what the first account never answered is recalled there after the way back', async () => {
  const destinationId = await delivered()
  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  // As a first delivery leaves it whose answer was lost.
  await world.database.db.execute(
    `UPDATE deliver.record SET state = 'unknown', outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL,
       pushed_values = NULL, crm_id = NULL, unconfirmed = ARRAY[item_id]
     WHERE destination_id = $1 AND external_id = $2`,
    [destinationId, director.externalId],
  )
  await world.database.db.execute(
    `UPDATE deliver.delivery SET state = 'unknown', outcome = NULL, crm_id = NULL, acknowledged_at = NULL
     WHERE destination_id = $1 AND external_id = $2`,
    [destinationId, director.externalId],
  )
  await away(destinationId)
  await back(destinationId)
  expect(here()).toContain(director.externalId)
  await object()
  await recallLeads(world.parts(), signal)
  expect(here()).not.toContain(director.externalId)
  expect((await recalls()).map(({ status }) => status)).toEqual(['erased'])
})

test('of a destination that delivers approved plans only, what was fixed by hand arrives fixed in the next account, once a plan for it is approved', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('hubspot')
  const orderId = await world.order([gstLead(1, { Email: 'no address' })])
  await world.push(orderId, destinationId)
  await reconcile(world.parts(), destinationId, signal)
  const [delivery] = await db.query<{ id: string; state: string }>(
    'SELECT delivery_id AS id, state FROM deliver.delivery WHERE order_id = $1',
    [orderId],
  )
  expect(delivery).toMatchObject({ state: 'rejected' })
  const fix = (email: string) =>
    db.transaction((tx) =>
      fixRejected(tx, world.queue(), [{ deliveryId: delivery?.id ?? '', values: { Email: email } }], world.accountId()),
    )
  expect(await fix('office@mandovi-traders.example.com')).toMatchObject({ fixed: 1 })
  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  await away(destinationId)
  await db.transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId }))
  expect(await fix('another@mandovi-traders.example.com')).toMatchObject({ fixed: 0, not_rejected: 1 })
  await reconcile(world.parts(), destinationId, signal)
  expect(elsewhere.records()).toEqual([])
  expect(await told(destinationId, gstLead(1).externalId)).toMatchObject({ code: 'NEEDS_APPROVAL' })

  const request = { orderId, destinationId }
  const plan = await planPush(world.parts(), request, signal)
  expect(plan.counts).toMatchObject({ create: 1 })
  await approvePlan(world.parts(), { ...request, hash: plan.hash, adopt: undefined }, signal)
  await db.transaction((tx) => requestPush(tx, world.queue(), { ...request, approved: true }))
  await reconcile(world.parts(), destinationId, signal)
  expect(held(elsewhere)).toEqual([gstLead(1).externalId])
  expect(JSON.stringify(elsewhere.records())).toContain('office@mandovi-traders.example.com')
})

test('of a destination that delivers approved plans only, what was rejected by the account before waits for a plan as well, and what was recalled does not', async () => {
  const destinationId = await delivered()
  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  const reject = (externalId: string, code: string) =>
    world.database.db.execute(
      `UPDATE deliver.delivery SET state = 'rejected', last_error = jsonb_build_object('code', $3::text, 'field', NULL, 'message', 'no')
       WHERE destination_id = $1 AND external_id = $2`,
      [destinationId, externalId, code],
    )
  await reject(companyLead(1).externalId, 'INVALID_EMAIL')
  await reject(director.externalId, 'RECALLED')
  await away(destinationId)
  expect(await told(destinationId, companyLead(1).externalId)).toMatchObject({ code: 'NEEDS_APPROVAL' })
  expect(await told(destinationId)).toMatchObject({ code: 'RECALLED' })
  const [summary] = await summariseDeliveries(world.database.db, world.accountId())
  expect(summary).toMatchObject({ waiting: 1, rejected: [{ code: 'RECALLED', records: 1 }] })
})
