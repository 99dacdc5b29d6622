/** What a destination holds is sent again: all, an order's, or one record; the plan says before what the resend then does. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { planResend } from '../../../src/deliver/resend/plan-resend.ts'
import { resendPlanned, resendUnplanned } from '../../../src/deliver/resend/resend.ts'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertAccount } from './paid-order.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()

beforeEach(() => world.stopWorker())

const always = [{ field: 'City', ownership: 'always' }]

async function delivered(crm: string, over = {}) {
  const destinationId = await world.addDestination(crm, over)
  const first = await world.order([gstLead(1), gstLead(2)])
  const second = await world.order([gstLead(3), companyLead(1)])
  for (const orderId of [first, second]) await world.push(orderId, destinationId)
  await work(destinationId)
  return { destinationId, first, second }
}

const work = async (destinationId: string) =>
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
const ask = (selection: Parameters<typeof planResend>[1]) => planResend(world.parts(), selection, signal)
const send = (selection: Parameters<typeof planResend>[1], hash?: string) =>
  hash === undefined
    ? resendUnplanned(world.database.db, world.queue(), selection)
    : resendPlanned(world.parts(), world.queue(), { ...selection, hash, adopt: undefined }, signal)
const held = (crm: string, externalId: string) =>
  world
    .box(crm)
    .records()
    .find(({ properties }) => Object.values(properties).includes(externalId))

describe('in Salesforce', () => {
  const crm = 'salesforce'
  const edit = (externalId: string) => {
    const record = held(crm, externalId)
    world.box(crm).edit(record?.id ?? '', { City: 'Typed by a rep' })
  }

  test('a plan of one record, of an order and of a destination each name the fields that the resend then writes, and no other record is read or written', async () => {
    const { destinationId, first } = await delivered(crm)
    await world.database.db.execute('UPDATE deliver.destination SET mapping = $2 WHERE destination_id = $1', [
      destinationId,
      JSON.stringify(always),
    ])
    for (const { selection, records, changed } of [
      { selection: { destinationId, record: gstLead(2).externalId }, records: 1, changed: [gstLead(2)] },
      { selection: { destinationId, orderId: first }, records: 2, changed: [gstLead(1), gstLead(2)] },
      { selection: { destinationId }, records: 4, changed: [gstLead(1), gstLead(2), gstLead(3)] },
    ]) {
      for (const lead of [gstLead(1), gstLead(2), gstLead(3)]) edit(lead.externalId)
      const plan = await ask(selection)
      expect(plan).toMatchObject({ records, counts: { update: changed.length, create: 0, conflict: 0 } })
      expect(
        plan.rows.filter(({ action }) => action === 'update').map(({ record, fields }) => [record, fields]),
      ).toEqual(
        changed.map(({ externalId, row }) => [externalId, { City: { before: 'Typed by a rep', after: row['City'] } }]),
      )
      // A plan writes nothing, and makes nothing due.
      expect(held(crm, gstLead(2).externalId)?.properties['City']).toBe('Typed by a rep')
      await work(destinationId)
      expect(held(crm, gstLead(2).externalId)?.properties['City']).toBe('Typed by a rep')
      expect(await send(selection, plan.hash)).toBe(records)
      await work(destinationId)
      for (const lead of [gstLead(1), gstLead(2), gstLead(3)])
        expect([lead.externalId, held(crm, lead.externalId)?.properties['City']]).toEqual([
          lead.externalId,
          changed.some(({ externalId }) => externalId === lead.externalId) ? lead.row['City'] : 'Typed by a rep',
        ])
    }
  })

  test('a resend by the hash of a plan is refused, and makes nothing due, once the CRM has moved', async () => {
    const { destinationId } = await delivered(crm)
    const { hash } = await ask({ destinationId })
    world.box(crm).remove?.(held(crm, gstLead(1).externalId)?.id ?? '')
    await expect(send({ destinationId }, hash)).rejects.toMatchObject({
      code: 'CONFLICT',
      extra: { reason: 'plan_moved' },
    })
    const due = await world.database.db.query(
      `SELECT FROM deliver.record WHERE destination_id = $1 AND state <> 'acknowledged'`,
      [destinationId],
    )
    expect(due).toEqual([])
  })

  test('a deleted record stays deleted by a resend of all, as its plan says, and is made anew, once, where it is named', async () => {
    const { destinationId } = await delivered(crm)
    const record = gstLead(1).externalId
    world.box(crm).remove?.(held(crm, record)?.id ?? '')
    const all = await ask({ destinationId })
    expect(all.counts).toMatchObject({ conflict: 1, unchanged: 3, create: 0 })
    await send({ destinationId }, all.hash)
    await work(destinationId)
    expect(held(crm, record)).toBeUndefined()
    const alone = await ask({ destinationId, record: record.slice('gst:'.length) })
    expect(alone.counts).toMatchObject({ create: 1, conflict: 0 })
    await send({ destinationId, record: record.slice('gst:'.length) }, alone.hash)
    await work(destinationId)
    expect(held(crm, record)).toBeDefined()
    expect((await ask({ destinationId })).counts).toMatchObject({ unchanged: 4 })
  })

  test.each(['resent', 'retried'] as const)(
    'a record whose lost answer was settled as created is told as created once it is %s',
    async (how) => {
      const { destinationId, first } = await delivered(crm)
      const ofFirst = [destinationId, first]
      // As the look that settles it leaves it, until it is sent and compared again.
      for (const table of ['deliver.record', 'deliver.delivery'])
        await world.database.db.execute(
          `UPDATE ${table} SET state = 'pending', outcome = ${table === 'deliver.record' ? `'created'` : 'NULL'}
           WHERE destination_id = $1 AND item_id IN (SELECT item_id FROM orders.item WHERE order_id = $2)`,
          ofFirst,
        )
      if (how === 'resent') await send({ destinationId })
      else await world.database.db.transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId }))
      await work(destinationId)
      const told = await world.database.db.query(
        'SELECT state, outcome FROM deliver.delivery WHERE destination_id = $1 AND order_id = $2',
        ofFirst,
      )
      expect(told).toEqual([1, 2].map(() => ({ state: 'acknowledged', outcome: 'created' })))
    },
  )

  test('a plan of more records than it may hold is refused before the CRM is asked', async () => {
    const { destinationId } = await delivered(crm)
    const before = world.box(crm).calls().length
    await expect(planResend(world.parts(), { destinationId }, signal, undefined, 3)).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      extra: { reason: 'too_many_records', max: 3 },
    })
    expect(world.box(crm).calls().length).toBe(before)
    expect(await planResend(world.parts(), { destinationId }, signal, undefined, 4)).toMatchObject({ records: 4 })
  })

  test('a destination that delivers approved plans only sends nothing again without a hash', async () => {
    const { destinationId } = await delivered(crm)
    await world.database.db.execute(`UPDATE deliver.destination SET deliver = 'approved' WHERE destination_id = $1`, [
      destinationId,
    ])
    await expect(send({ destinationId })).rejects.toMatchObject({
      code: 'CONFLICT',
      extra: { reason: 'approval_required' },
    })
    const { hash } = await ask({ destinationId })
    expect(await send({ destinationId }, hash)).toBe(4)
  })
})

test.each([
  { crm: 'salesforce', match: 'composite/sobjects' },
  { crm: 'hubspot', match: '/batch/upsert' },
  // Zoho is read by a POST, too: without a match the fault waits for the call that writes.
  { crm: 'zoho' },
])(
  'in $crm a resend after an answer that was lost makes no second record, and no credit is spent twice',
  async ({ crm, ...of }) => {
    const destinationId = await world.addDestination(crm)
    const orderId = await world.order([gstLead(1), gstLead(2)])
    await world.charge(orderId)
    await world.push(await world.order([gstLead(9)]), destinationId)
    await work(destinationId)
    world.box(crm).addFault({ kind: 'timeout_after_commit', times: 1, ...of })
    await world.push(orderId, destinationId)
    const until = async (expectation: () => void | Promise<void>) =>
      world.until(async () => {
        await reconcile(world.parts(), destinationId, signal)
        await expectation()
      })
    const allThere = async () => expect(await world.counts(orderId)).toEqual({ acknowledged: 2, rejected: 0, open: 0 })
    const stopping = new AbortController()
    const stopped = reconcile(world.parts(), destinationId, stopping.signal).catch((error: unknown) => error)
    await vi.waitFor(() => expect(held(crm, gstLead(2).externalId)).toBeDefined(), { timeout: 60_000, interval: 20 })
    stopping.abort(new Error('the process is stopping'))
    await stopped
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 0 })
    await resendUnplanned(world.database.db, world.queue(), { destinationId })
    await until(allThere)
    const written = world.box(crm).records().length
    const transfers = () => world.database.db.query('SELECT * FROM ledger.transfer ORDER BY 1')
    const spent = await transfers()
    await send({ destinationId })
    await send({ destinationId, orderId })
    await send({ destinationId, record: gstLead(1).externalId })
    await work(destinationId)
    await until(allThere)
    expect(world.box(crm).records()).toHaveLength(written)
    for (const { externalId } of [gstLead(1), gstLead(2)])
      expect(
        world
          .box(crm)
          .records()
          .filter(({ properties }) => Object.values(properties).includes(externalId)),
      ).toHaveLength(1)
    expect(await transfers()).toEqual(spent)
  },
)

test.each(['salesforce', 'hubspot', 'zoho'])(
  'in %s a resend of what the CRM holds writes nothing, and what was withdrawn is not sent',
  async (crm) => {
    const { destinationId, first } = await delivered(crm)
    await world.database.db.execute('UPDATE orders.item SET withdrawn_at = now() WHERE order_id = $1', [first])
    const before = JSON.stringify(world.box(crm).records())
    const plan = await ask({ destinationId })
    expect(plan).toMatchObject({ records: 2, counts: { unchanged: 2, create: 0, update: 0 } })
    expect(await send({ destinationId }, plan.hash)).toBe(2)
    await work(destinationId)
    expect(JSON.stringify(world.box(crm).records())).toBe(before)
    await expect(ask({ destinationId, orderId: first })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(send({ destinationId, record: 'gst:NOBODY' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const stranger = await insertAccount(world.database.db)
    await expect(planResend(world.parts(), { destinationId }, signal, stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  },
)
