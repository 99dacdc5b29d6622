/** What a destination owes, who holds it and who is told: each statement of delivery asked without a CRM and without a worker. */
import { afterEach, describe, expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { ringAlarms } from '../../../src/deliver/alarms.ts'
import { noteFailure, noteSuccess } from '../../../src/deliver/breaker.ts'
import { enrolNext, enrolPush } from '../../../src/deliver/enrol.ts'
import { releaseLease, requireLease, takeLease } from '../../../src/deliver/lease.ts'
import { claimLeads, recordOutcomes, takeOver } from '../../../src/deliver/ledger/ledger.ts'
import { listDeliveries } from '../../../src/deliver/list-deliveries.ts'
import { chooseMails, wantedMails } from '../../../src/deliver/mails/mail-choice.ts'
import { queueMail } from '../../../src/deliver/mails/queue-mail.ts'
import { sendMails } from '../../../src/deliver/mails/send-mails.ts'
import type { Mailer, OutgoingMail } from '../../../src/deliver/mails/smtp.ts'
import { requireNamed } from '../../../src/deliver/named.ts'
import { readDestination } from '../../../src/deliver/open-destination.ts'
import { mendRefused } from '../../../src/deliver/refused/mend-refused.ts'
import { retryDeliveries } from '../../../src/deliver/retry.ts'
import { emit } from '../../../src/deliver/webhooks/emit.ts'
import { noticesAreDue, sendNotices } from '../../../src/deliver/webhooks/send-notices.ts'
import { addWebhook, listEvents, removeWebhook, replayEvent } from '../../../src/deliver/webhooks/webhooks.ts'
import { AppError } from '../../../src/errors.ts'
import { grantCredits, refundItems, spendOnOrder } from '../../../src/orders/ledger.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs, secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const db = () => database.db
const signal = new AbortController().signal
// What a test left open is nothing for the next one.
afterEach(async () => {
  await db().execute(`UPDATE deliver.destination SET status = 'removed'`)
  await db().execute(`DELETE FROM deliver.mail`)
})

let names = 0
async function destinationOf(accountId: string): Promise<string> {
  names += 1
  const [row] = await db().query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
     VALUES ($1, 'hubspot', $2, $2, '') RETURNING destination_id AS id`,
    [accountId, `CRM ${names}`],
  )
  if (!row) throw new Error('no destination')
  return row.id
}
async function pushOf(orderId: string, destinationId: string, dueIn = '0 seconds'): Promise<string> {
  const [row] = await db().query<{ id: string }>(
    `INSERT INTO deliver.push (order_id, destination_id, status, due_at)
     VALUES ($1, $2, 'queued', now() + $3::interval) RETURNING push_id AS id`,
    [orderId, destinationId, dueIn],
  )
  if (!row) throw new Error('no push')
  return row.id
}
/** An account with an order of leads that a destination owes. */
async function owed(count = 2) {
  const accountId = await insertAccount(db())
  const leads = Array.from({ length: count }, (_, n) => gstLead(n))
  const orderId = await insertOrder(db(), accountId, leads)
  const destinationId = await destinationOf(accountId)
  const pushId = await pushOf(orderId, destinationId)
  const enrolled = await db().transaction((tx) => enrolPush(tx, { pushId, orderId, destinationId }))
  return { accountId, orderId, destinationId, pushId, enrolled, ids: leads.map(({ externalId }) => externalId) }
}
/** Charges the first item of the order, and gives its credit back. */
async function refundFirst(orderId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [first] = await tx.query<{ itemId: string; accountId: string }>(
      `SELECT item_id AS "itemId", account_id AS "accountId" FROM orders.item JOIN orders.purchase USING (order_id)
       WHERE order_id = $1 AND position = 0`,
      [orderId],
    )
    if (!first) throw new Error('the order has no item')
    await grantCredits(tx, first.accountId, 1, `grant:${orderId}`)
    const [charge] = await spendOnOrder(tx, first.accountId, { orderId, credits: 1 })
    await tx.execute('UPDATE orders.item SET charge_id = $2 WHERE item_id = $1', [first.itemId, charge?.chargeId])
    expect(await refundItems(tx, first.accountId, [first.itemId], 'no_contact')).toHaveLength(1)
  })
}
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
  await ringAlarms(db(), queue)
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
})

describe('what is owed', () => {
  test('is enrolled once its leads are built and its time has come, without what was refunded, and once', async () => {
    const { enrolled, orderId, destinationId, pushId, ids } = await owed()
    expect(enrolled).toBe(true)
    expect(await recordsOf(destinationId)).toEqual(ids.map((id) => ({ id, state: 'pending', outcome: null })))
    expect(await db().transaction((tx) => enrolPush(tx, { pushId, orderId, destinationId }))).toBe(false)
    const later = await owed()
    const [mine, theirs] = [await destinationOf(later.accountId), await destinationOf(later.accountId)]
    await refundFirst(later.orderId)
    await pushOf(later.orderId, mine, '1 hour')
    await pushOf(later.orderId, mine)
    await pushOf(later.orderId, theirs)
    expect([await enrolNext(db(), mine), await enrolNext(db(), mine)]).toEqual([true, false])
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

  test('and was refused is mended or retried while it is owed, not once its credit went back', async () => {
    const { destinationId, orderId, accountId, ids } = await owed()
    for (const table of ['record', 'delivery'])
      await db().execute(`UPDATE deliver.${table} SET state = 'rejected' WHERE destination_id = $1`, [destinationId])
    await refundFirst(orderId)
    const { deliveries } = await listDeliveries(db(), { destinationId, limit: 10, offset: 0 })
    const rows = deliveries.map(({ delivery_id: deliveryId }) => ({ deliveryId, values: { Company: 'ANOTHER' } }))
    const queue = recordJobs()
    const mended = await db().transaction((tx) => mendRefused(tx, queue, rows, accountId))
    expect(mended).toEqual({ mended: 1, unchanged: 0, not_refused: 1 })
    expect(await recordsOf(destinationId)).toMatchObject([
      { id: ids[0], state: 'rejected' },
      { id: ids[1], state: 'pending' },
    ])
    const [one] = deliveries
    expect(await db().transaction((tx) => retryDeliveries(tx, queue, { deliveryId: one?.delivery_id ?? '' }))).toBe(1)
    expect(queue.sent.map(({ payload }) => payload)).toEqual([{ destinationId }, { destinationId }])
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

describe('an e-mail', () => {
  /** @param during what happens while one is being sent. */
  const mailerOf = (sent: OutgoingMail[], during = async () => {}): Mailer => ({
    async send(mail) {
      sent.push(mail)
      await during()
      return { sent: true }
    },
    close() {},
  })
  const dueNow = () => db().execute(`UPDATE deliver.mail SET next_attempt_at = now() WHERE state = 'pending'`)
  const broken = (destinationId: string) =>
    db().transaction((tx) => queueMail(tx, destinationId, 'destination.broken', { reason: { message: 'away' } }))

  test('that one process is sending no other takes, and what is sent is sent once', async () => {
    const { destinationId } = await owed()
    await broken(destinationId)
    await dueNow()
    const sent: OutgoingMail[] = []
    const second = mailerOf(sent)
    await sendMails(
      db(),
      mailerOf(sent, async () => {
        await sendMails(db(), second, signal)
      }),
      signal,
    )
    expect(sent).toHaveLength(1)
  })

  test('goes to an account that is open and wants it, and to no other', async () => {
    const [open, suspended, erased, unwanted] = [await owed(), await owed(), await owed(), await owed()]
    for (const { destinationId } of [open, suspended, erased, unwanted]) await broken(destinationId)
    const mark = (column: string, accountId: string) =>
      db().execute(`UPDATE access.account SET ${column} = now() WHERE account_id = $1`, [accountId])
    await mark('suspended_at', suspended.accountId)
    await mark('erased_at', erased.accountId)
    await db().transaction((tx) => chooseMails(tx, unwanted.accountId, ['order.delivered']))
    expect(await wantedMails(db(), unwanted.accountId)).toEqual(['order.delivered'])
    expect(await wantedMails(db(), open.accountId)).toContain('destination.broken')
    await dueNow()
    const sent: OutgoingMail[] = []
    await sendMails(db(), mailerOf(sent), signal)
    const [account] = await db().query<{ email: string }>('SELECT email FROM access.account WHERE account_id = $1', [
      open.accountId,
    ])
    expect(sent.map(({ to }) => to)).toEqual([account?.email])
  })
})

describe('webhooks', () => {
  const url = 'http://127.0.0.1:9/hook'
  const add = (accountId: string) =>
    addWebhook(db(), secretKey, { accountId, url: 'https://hook.example.com/panji', events: ['order.delivered'] })

  test('of an account are removed by itself, once, and its events are replayed by itself alone', async () => {
    const [one, other] = [await owed(), await owed()]
    const [mine, theirs] = [await add(one.accountId), await add(other.accountId)]
    await db().transaction((tx) => emit(tx, one.destinationId, 'order.delivered', { order_id: one.orderId }))
    const { events } = await listEvents(db(), one.accountId, { limit: 10, offset: 0 })
    const eventId = events[0]?.event_id ?? ''
    expect(events).toMatchObject([{ type: 'order.delivered', notices: [{ webhook_id: mine.webhook_id }] }])
    await expect(replayEvent(db(), eventId, other.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await replayEvent(db(), eventId, one.accountId)).toEqual({ replayed: 1 })
    await expect(removeWebhook(db(), mine.webhook_id, other.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await removeWebhook(db(), mine.webhook_id, one.accountId)
    await expect(removeWebhook(db(), mine.webhook_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await replayEvent(db(), eventId, one.accountId)).toEqual({ replayed: 0 })
    expect((await listEvents(db(), other.accountId, { limit: 10, offset: 0 })).total).toBe(0)
    await removeWebhook(db(), theirs.webhook_id, other.accountId)
  })

  test('are bounded per account, and one that is removed makes room', async () => {
    const [one, other] = [await owed(), await owed()]
    await add(other.accountId)
    const mine = []
    for (let n = 0; n < 10; n++) mine.push(await add(one.accountId))
    await expect(add(one.accountId)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await removeWebhook(db(), mine[0]?.webhook_id ?? '', one.accountId)
    await add(one.accountId)
    await expect(add(one.accountId)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })

  test('take a notice of their own, wait after a failure, and leave those of other events and webhooks as they are', async () => {
    const one = await owed()
    const [first, second] = [await add(one.accountId), await add(one.accountId)]
    await db().execute('UPDATE deliver.webhook SET url = $2 WHERE webhook_id = $1', [first.webhook_id, url])
    for (const orderId of ['a', 'b'])
      await db().transaction((tx) => emit(tx, one.destinationId, 'order.delivered', { order_id: orderId }))
    await db().execute(
      `UPDATE deliver.notice SET next_attempt_at = now() + interval '1 hour' WHERE webhook_id = $1 OR event_id <>
         (SELECT event_id FROM deliver.event WHERE account_id = $2 AND data ->> 'order_id' = 'a')`,
      [second.webhook_id, one.accountId],
    )
    expect(await noticesAreDue(db())).toBe(true)
    expect(await sendNotices({ db: db(), secretKey, allowPrivate: false }, signal)).toEqual({ sent: 1 })
    const tried = await db().query(
      `SELECT webhook_id AS id, data ->> 'order_id' AS "order", attempts, state, last_error IS NOT NULL AS told,
         next_attempt_at > created_at + interval '4 seconds' AS waits
       FROM deliver.notice JOIN deliver.event USING (event_id) WHERE account_id = $1 AND attempts > 0`,
      [one.accountId],
    )
    expect(tried).toEqual([
      { id: first.webhook_id, order: 'a', attempts: 1, state: 'pending', told: true, waits: true },
    ])
  })
})
