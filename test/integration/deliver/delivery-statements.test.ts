/** What a destination owes and who holds it: each statement of delivery asked without a CRM and without a worker. */
import { Registry } from 'prom-client'
import { afterEach, describe, expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { requireNamed } from '../../../src/deliver/destinations/named.ts'
import { readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { noteFailure, noteSuccess } from '../../../src/deliver/lease/breaker.ts'
import { releaseLease, requireLease, takeLease } from '../../../src/deliver/lease/lease.ts'
import { enqueueNext, enqueuePush } from '../../../src/deliver/push/enqueue.ts'
import { wakeDue } from '../../../src/deliver/push/wake.ts'
import { keepJob } from '../../../src/deliver/record/job.ts'
import { claimLeads, recordOutcomes, takeOver } from '../../../src/deliver/record/ledger.ts'
import { listDeliveries } from '../../../src/deliver/record/list-deliveries.ts'
import { fixRejected } from '../../../src/deliver/record/rejected/fix-rejected.ts'
import { refreshRejected } from '../../../src/deliver/record/rejected/refresh-rejected.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { summariseDeliveries } from '../../../src/deliver/record/summarise-deliveries.ts'
import { AppError } from '../../../src/errors.ts'
import { deliveryMetrics, setDeliveryMetrics } from '../../../src/health/readings/delivery-metrics.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { giveFirstBack, insertDestination, insertPush, owedOrder } from './owed-order.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const db = () => database.db
// What a test left open is nothing for the next one.
afterEach(async () => {
  await db().execute(`UPDATE deliver.destination SET status = 'removed'`)
})

const destinationOf = (accountId: string) => insertDestination(db(), accountId)
const pushOf = (orderId: string, destinationId: string, dueIn?: string) =>
  insertPush(db(), orderId, destinationId, dueIn)
const owed = (count?: number) => owedOrder(db(), count)
const refundFirst = (orderId: string) => giveFirstBack(db(), orderId)
const leaseOf = async (destinationId: string) => {
  const lease = await takeLease(db(), destinationId)
  if (!lease) throw new Error('somebody else holds the destination')
  return lease
}
const recordsOf = (destinationId: string) =>
  db().query<{ id: string; state: string; outcome: string | null }>(
    `SELECT external_id AS id, state, outcome FROM deliver.record WHERE destination_id = $1 ORDER BY external_id`,
    [destinationId],
  )
const statesOf = async (destinationId: string) => (await recordsOf(destinationId)).map(({ state }) => state)
const pushesOf = async (destinationId: string) =>
  (
    await db().query<{ status: string }>(
      'SELECT status FROM deliver.push WHERE destination_id = $1 ORDER BY requested_at, push_id',
      [destinationId],
    )
  ).map(({ status }) => status)
const due = async () => {
  const queue = recordJobs()
  await wakeDue(db(), queue)
  return queue.sent.map(({ payload }) => (payload as { destinationId: string }).destinationId).toSorted()
}

describe('a lease', () => {
  test('is of one holder while it lives, of nobody for a destination that takes nothing, and ended by its holder alone', async () => {
    const { accountId, destinationId } = await owed()
    const lease = await leaseOf(destinationId)
    expect(await takeLease(db(), destinationId)).toBeNull()
    await releaseLease(db(), { ...lease, fence: accountId })
    await requireLease(db(), lease)
    await expect(requireLease(db(), { ...lease, fence: accountId })).rejects.toMatchObject({ code: 'LEASE_LOST' })
    await releaseLease(db(), lease)
    await expect(requireLease(db(), lease)).rejects.toMatchObject({ code: 'LEASE_LOST' })
    const next = await leaseOf(destinationId)
    await db().execute(`UPDATE deliver.destination SET leased_until = now() - interval '1 second'`)
    expect(await takeLease(db(), destinationId)).not.toBeNull()
    await expect(requireLease(db(), next)).rejects.toMatchObject({ code: 'LEASE_LOST' })
  })

  test('that was lost keeps no job of its own, and leaves that of the holder who came after', async () => {
    const destinationId = await destinationOf(await insertAccount(db()))
    const lost = await leaseOf(destinationId)
    await releaseLease(db(), lost)
    const lease = await leaseOf(destinationId)
    await keepJob(db(), lease, { id: 'job-1' })
    await expect(keepJob(db(), lost, { id: 'job-2' })).rejects.toMatchObject({ code: 'LEASE_LOST' })
    await keepJob(db(), lost, null)
    expect(
      await db().query('SELECT fence, kept FROM deliver.job_under_way WHERE destination_id = $1', [destinationId]),
    ).toEqual([{ fence: lease.fence, kept: { id: 'job-1' } }])
  })

  test('is of use for an active and a broken destination, not for a paused or removed one, nor of a suspended account', async () => {
    const { accountId, destinationId } = await owed()
    const lease = await leaseOf(destinationId)
    const become = (status: string) =>
      db().execute('UPDATE deliver.destination SET status = $2 WHERE destination_id = $1', [destinationId, status])
    for (const status of ['broken', 'active']) {
      await become(status)
      await requireLease(db(), lease)
    }
    for (const status of ['paused', 'removed']) {
      await become(status)
      await expect(requireLease(db(), lease)).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    await releaseLease(db(), lease)
    expect(await takeLease(db(), destinationId)).toBeNull()
    await become('broken')
    const broken = await leaseOf(destinationId)
    await db().execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [accountId])
    await expect(requireLease(db(), broken)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' })
  })

  test('notes a failure of its own destination, waits, breaks it at the fifth, and one good answer closes that', async () => {
    const [{ destinationId }, other] = [await owed(), await owed()]
    const lease = await leaseOf(destinationId)
    const away = new AppError('CRM_UNAVAILABLE', 'away', { retry: 'later' })
    const opened = [(await noteFailure(db(), lease, away))?.opened]
    const [first] = await db().query<{ soon: boolean }>(
      `SELECT retry_at - now() < interval '3 seconds' AS soon FROM deliver.destination WHERE destination_id = $1`,
      [destinationId],
    )
    expect(first).toEqual({ soon: true })
    for (let n = 1; n < 6; n++) opened.push((await noteFailure(db(), lease, away))?.opened)
    expect(opened).toEqual([false, false, false, false, true, false])
    const states = () =>
      db().query(
        `SELECT status, failures, retry_at > now() AS waits FROM deliver.destination WHERE destination_id = ANY ($1)
         ORDER BY failures DESC`,
        [[destinationId, other.destinationId]],
      )
    expect(await states()).toEqual([
      { status: 'broken', failures: 6, waits: true },
      { status: 'active', failures: 0, waits: null },
    ])
    expect(await noteFailure(db(), { ...lease, fence: other.accountId }, away)).toBeUndefined()
    expect(await noteSuccess(db(), { ...lease, fence: other.accountId })).toBe(false)
    expect([await noteSuccess(db(), lease), await noteSuccess(db(), lease)]).toEqual([true, false])
    expect((await states())[0]).toEqual({ status: 'active', failures: 0, waits: null })
  })

  test('waits for a quota as long as it takes without counting as a failure, and what failed before still counts', async () => {
    const { destinationId } = await owed()
    const lease = await leaseOf(destinationId)
    const away = new AppError('CRM_UNAVAILABLE', 'away', { retry: 'later' })
    const usedUp = new AppError('CRM_UNAVAILABLE', 'the quota is used up', { retry: { afterMs: 1_000, isQuota: true } })
    const moves = []
    for (const error of [away, ...Array.from({ length: 9 }, () => usedUp), away, away, away, away])
      moves.push(await noteFailure(db(), lease, error))
    expect(moves.map((move) => move?.opened)).toEqual([...Array.from({ length: 13 }, () => false), true])
    expect(moves[9]?.failure).toEqual({ code: 'CRM_UNAVAILABLE', message: 'the quota is used up' })
    const [row] = await db().query(
      'SELECT status, failures, retry_at > now() AS waits FROM deliver.destination WHERE destination_id = $1',
      [destinationId],
    )
    expect(row).toEqual({ status: 'broken', failures: 5, waits: true })
  })
})

describe('what is owed', () => {
  test('is enqueued once its leads are built and its time has come, without what was refunded, and once', async () => {
    const { enqueued, orderId, destinationId, pushId, ids } = await owed()
    expect(enqueued).toBe(true)
    expect(await recordsOf(destinationId)).toEqual(ids.map((id) => ({ id, state: 'pending', outcome: null })))
    expect(await db().transaction((tx) => enqueuePush(tx, { pushId, orderId, destinationId }))).toBe(false)
    const later = await owed()
    const [mine, theirs] = [await destinationOf(later.accountId), await destinationOf(later.accountId)]
    await refundFirst(later.orderId)
    await pushOf(later.orderId, mine, '1 hour')
    await pushOf(later.orderId, mine)
    await pushOf(later.orderId, theirs)
    expect([await enqueueNext(db(), mine), await enqueueNext(db(), mine)]).toEqual([true, false])
    expect([await pushesOf(mine), await pushesOf(theirs)]).toEqual([
      expect.arrayContaining(['queued', 'running']),
      ['queued'],
    ])
    expect((await recordsOf(mine)).map(({ id }) => id)).toEqual(later.ids.slice(1))
    expect(await recordsOf(theirs)).toEqual([])
  })

  test('is not owed any more once it was refunded, also to a holder that comes after one that died; nothing else changes', async () => {
    const { destinationId, orderId, ids } = await owed(3)
    const lease = await leaseOf(destinationId)
    await db().execute(`UPDATE deliver.record SET state = 'sending' WHERE destination_id = $1 AND external_id = $2`, [
      destinationId,
      ids[1],
    ])
    await refundFirst(orderId)
    // None of them is newer than another, so that nothing but its name tells whose answer is whose.
    await db().execute('UPDATE deliver.record SET version = now() WHERE destination_id = $1', [destinationId])
    await takeOver(db(), lease)
    expect(await statesOf(destinationId)).toEqual(['rejected', 'unknown', 'pending'])
    const { deliveries } = await listDeliveries(db(), { orderId, limit: 10, offset: 0 })
    expect(Object.fromEntries(deliveries.map(({ record, outcome, code }) => [record, [outcome, code]]))).toEqual({
      [ids[0] ?? '']: ['rejected', 'WITHDRAWN'],
      [ids[1] ?? '']: ['unknown', null],
      [ids[2] ?? '']: ['pending', null],
    })
    expect((await claimLeads(db(), lease, 10)).map(({ externalId }) => externalId)).toEqual([ids[2]])
  })

  test('is answered for its own record alone, by the holder that sent it, and goes again where something newer is desired', async () => {
    const { destinationId, ids, accountId } = await owed(4)
    const lease = await leaseOf(destinationId)
    const leads = await claimLeads(db(), lease, 10)
    expect(leads.map(({ externalId }) => externalId)).toEqual(ids)
    const [first, second, third] = ids
    // The second and the third are desired anew while they are on their way, each by a newer order.
    const newer = await insertOrder(db(), accountId, [
      gstLead(1, { Company: 'NEWER' }),
      gstLead(2, { Company: 'NEWER' }),
    ])
    await db().execute(
      `UPDATE deliver.record SET item_id = item.item_id, desired_sha256 = '\\x01' FROM orders.item
       WHERE destination_id = $1 AND external_id = item.type || ':' || item.identifier AND order_id = $2`,
      [destinationId, newer],
    )
    const created = { status: 'created', crmId: 'crm-1', values: {} } as const
    const refused = { status: 'rejected', code: 'NO', field: null, message: 'no' } as const
    const outcomes: PushOutcome[] = [created, { ...created, crmId: 'crm-2' }, refused, refused]
    await expect(
      recordOutcomes(db(), { ...lease, fence: accountId }, leads.slice(0, 1), [created]),
    ).rejects.toMatchObject({ code: 'LEASE_LOST' })
    await recordOutcomes(db(), lease, leads, outcomes)
    expect(await recordsOf(destinationId)).toEqual([
      { id: first, state: 'acknowledged', outcome: 'created' },
      { id: second, state: 'pending', outcome: null },
      { id: third, state: 'pending', outcome: null },
      { id: ids[3], state: 'rejected', outcome: null },
    ])
    const { deliveries } = await listDeliveries(db(), { destinationId, limit: 10, offset: 0 })
    const told = deliveries.map(({ record, outcome, crm_id: crm }) => [record, outcome, crm])
    expect(told.toSorted()).toEqual([
      [first, 'created', 'crm-1'],
      [second, 'created', 'crm-2'],
      [third, 'rejected', null],
      [ids[3], 'rejected', null],
    ])
  })

  test('rings for destinations that may go on now, and for each once', async () => {
    const waiting = await owed()
    expect(await due()).toEqual([waiting.destinationId])
    const hindered = async (statement: string, values: unknown[]) => {
      const each = await owed()
      await db().execute(statement, [each.destinationId, ...values])
    }
    const set = 'UPDATE deliver.destination SET'
    await hindered(`${set} status = 'paused' WHERE destination_id = $1`, [])
    await hindered(`${set} retry_at = now() + interval '1 hour' WHERE destination_id = $1`, [])
    await hindered(`${set} leased_until = now() + interval '1 hour' WHERE destination_id = $1`, [])
    await hindered(
      `UPDATE deliver.record SET next_attempt_at = now() + interval '1 hour' WHERE destination_id = $1`,
      [],
    )
    await hindered(
      `UPDATE access.account SET suspended_at = now()
       WHERE account_id = (SELECT account_id FROM deliver.destination WHERE destination_id = $1)`,
      [],
    )
    expect(await due()).toEqual([waiting.destinationId])
    await hindered(`${set} retry_at = now() - interval '1 second', status = 'broken' WHERE destination_id = $1`, [])
    expect(await due()).toHaveLength(2)
    const job = (state: string, id: string) =>
      db().execute(
        `INSERT INTO pgboss.job (name, data, state, start_after) VALUES ('deliver-leads', $1, $2::pgboss.job_state, now())`,
        [{ destinationId: id }, state],
      )
    await job('completed', waiting.destinationId)
    expect(await due()).toContain(waiting.destinationId)
    await job('created', waiting.destinationId)
    expect(await due()).not.toContain(waiting.destinationId)
  })

  test('rings for a push whose leads are built, not for one that waits for those of items that are still paid for', async () => {
    const accountId = await insertAccount(db())
    const orderId = await insertOrder(db(), accountId, [gstLead(1), gstLead(2)])
    const destinationId = await destinationOf(accountId)
    await pushOf(orderId, destinationId)
    await db().execute('DELETE FROM orders.lead WHERE order_id = $1 AND position = 0', [orderId])
    expect(await due()).toEqual([])
    await refundFirst(orderId)
    expect(await due()).toEqual([destinationId])
  })

  test('and was refused is fixed or retried while it is owed, not once its credit went back', async () => {
    const { destinationId, orderId, accountId, ids } = await owed()
    for (const table of ['record', 'delivery'])
      await db().execute(`UPDATE deliver.${table} SET state = 'rejected' WHERE destination_id = $1`, [destinationId])
    await refundFirst(orderId)
    const { deliveries } = await listDeliveries(db(), { destinationId, limit: 10, offset: 0 })
    const rows = deliveries.map(({ delivery_id: deliveryId }) => ({ deliveryId, values: { Company: 'ANOTHER' } }))
    const queue = recordJobs()
    const fixed = await db().transaction((tx) => fixRejected(tx, queue, rows, accountId))
    expect(fixed).toEqual({ fixed: 1, unchanged: 0, not_rejected: 1 })
    expect(await recordsOf(destinationId)).toMatchObject([
      { id: ids[0], state: 'rejected' },
      { id: ids[1], state: 'pending' },
    ])
    const [one] = deliveries
    expect(await db().transaction((tx) => retryDeliveries(tx, queue, { deliveryId: one?.delivery_id ?? '' }))).toBe(1)
    expect(queue.sent.map(({ payload }) => payload)).toEqual([{ destinationId }, { destinationId }])
  })

  test('and was refused is desired anew where the registers say something else of it, not once somebody objected or it was taken back', async () => {
    const { destinationId, orderId } = await owed(5)
    await db().execute(`UPDATE deliver.delivery SET state = 'rejected' WHERE destination_id = $1`, [destinationId])
    await db().execute(
      `UPDATE deliver.record r SET state = 'rejected', sent_sha256 = desired_sha256, last_error = jsonb_build_object('code',
         (ARRAY['INVALID_EMAIL', 'INVALID_EMAIL', 'SUPPRESSED', 'WITHDRAWN', NULL])[i.position + 1])
       FROM orders.item i WHERE i.item_id = r.item_id AND destination_id = $1`,
      [destinationId],
    )
    await refundFirst(orderId)
    const queue = recordJobs()
    // The registers say something new of each of them.
    const read = async (_: unknown, itemIds: readonly string[]) =>
      itemIds.map((itemId) => ({ itemId, row: { ...gstLead(9).row, Company: 'ANOTHER' }, runId: 4711 }))
    expect(await refreshRejected(db(), queue, read)).toMatchObject({ retried: 2 })
    expect(await statesOf(destinationId)).toEqual(['rejected', 'pending', 'rejected', 'rejected', 'pending'])
    expect(queue.sent.map(({ payload }) => payload)).toEqual([{ destinationId }])
    expect(await refreshRejected(db(), queue, read), 'compared once').toEqual({ compared: 0, retried: 0 })
  })

  test('and what became of it within a day is counted by outcome, as destinations are by status', async () => {
    const registry = new Registry()
    const gauges = deliveryMetrics([registry])
    const counted = async () => {
      await db().transaction((tx) => setDeliveryMetrics(tx, gauges))
      const told = new Map<string, number>()
      for (const { name, values } of await registry.getMetricsAsJSON())
        for (const { labels, value } of values) told.set([name, ...Object.values(labels)].join(' '), value)
      return told
    }
    const before = await counted()
    const { destinationId, ids } = await owed(4)
    const [updated, refused, unanswered] = ids
    const become = (id: string | undefined, state: string, outcome: string | null, at = 'now()') =>
      db().execute(
        `UPDATE deliver.delivery SET state = $3, outcome = $4, updated_at = ${at}
         WHERE destination_id = $1 AND external_id = $2`,
        [destinationId, id, state, outcome],
      )
    await become(updated, 'acknowledged', 'updated')
    await become(refused, 'rejected', null)
    await become(unanswered, 'unknown', null, `now() - interval '2 days'`)
    const after = await counted()
    const risen = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    const day = 'panji_deliveries_last_day'
    for (const [outcome, count] of Object.entries({
      created: 0,
      updated: 1,
      unchanged: 0,
      rejected: 1,
      pending: 1,
      unknown: 0,
    })) {
      expect(after.has(`${day} ${outcome}`), outcome).toBe(true)
      expect([outcome, risen(`${day} ${outcome}`)]).toEqual([outcome, count])
    }
    expect([risen('panji_deliveries_waiting'), risen('panji_destinations active')]).toEqual([4, 1])
    expect(after.get('panji_destinations broken')).toBe(0)
  })

  test('and waits for nobody once its destination was removed: neither the metric nor the summary of the account counts it', async () => {
    const { accountId, destinationId } = await owed(3)
    const registry = new Registry()
    const gauges = deliveryMetrics([registry])
    const waiting = async () => {
      await db().transaction((tx) => setDeliveryMetrics(tx, gauges))
      const [metric] = (await registry.getSingleMetric('panji_deliveries_waiting')?.get())?.values ?? []
      const [summary] = await summariseDeliveries(db(), accountId)
      return [metric?.value, summary?.waiting]
    }
    const [before] = await waiting()
    expect(await waiting()).toEqual([before, 3])
    await db().execute(`UPDATE deliver.destination SET status = 'removed' WHERE destination_id = $1`, [destinationId])
    expect(await waiting()).toEqual([Number(before) - 3, 0])
  })

  test('is listed by account, order, destination, outcome, record or identifier, and by its own id', async () => {
    const [one, other] = [await owed(), await owed()]
    const total = async (filter: object) => (await listDeliveries(db(), { ...filter, limit: 10, offset: 0 })).total
    await db().execute(
      `UPDATE deliver.delivery SET state = 'acknowledged', outcome = 'updated'
      WHERE destination_id = $1 AND external_id = $2`,
      [one.destinationId, one.ids[0]],
    )
    for (const [filter, count] of [
      [{ accountId: one.accountId }, 2],
      [{ orderId: other.orderId }, 2],
      [{ destinationId: one.destinationId }, 2],
      [{ accountId: one.accountId, orderId: other.orderId }, 0],
      [{ accountId: one.accountId, outcome: 'updated' }, 1],
      [{ accountId: one.accountId, outcome: 'pending' }, 1],
      [{ accountId: one.accountId, record: one.ids[1] }, 1],
      [{ accountId: one.accountId, record: one.ids[1]?.slice(4) }, 1],
      [{ accountId: one.accountId, record: 'gst:none' }, 0],
    ] as const)
      expect([filter, await total(filter)]).toEqual([filter, count])
    const { deliveries } = await listDeliveries(db(), { accountId: one.accountId, limit: 1, offset: 1 })
    expect(await total({ deliveryId: deliveries[0]?.delivery_id })).toBe(1)
  })
})

test('a destination is read by its own account, and neither a removed one nor an id that is none is there', async () => {
  const [one, other] = [await owed(), await owed()]
  expect(await readDestination(db(), one.destinationId, one.accountId)).toMatchObject({ accountId: one.accountId })
  expect(await readDestination(db(), one.destinationId)).toMatchObject({ destinationId: one.destinationId })
  for (const [id, accountId] of [
    [one.destinationId, other.accountId],
    ['none', one.accountId],
  ] as const)
    await expect(readDestination(db(), id, accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await requireNamed(db(), { orderId: one.orderId, destinationId: one.destinationId })
  for (const named of [{ orderId: one.destinationId }, { destinationId: one.orderId }, { orderId: 'none' }])
    await expect(requireNamed(db(), named)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
