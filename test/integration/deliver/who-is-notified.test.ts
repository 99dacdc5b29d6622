/** Who is told of deliveries: e-mails to people and notices to webhooks, asked without a CRM and without a worker. */
import { afterEach, describe, expect, test } from 'vitest'
import { invitePerson, removePerson } from '../../../src/access/manage-people.ts'
import { listPeople } from '../../../src/access/people.ts'
import { announceOfDestination } from '../../../src/deliver/destinations/announce.ts'
import { pauseDestination, resumeDestination } from '../../../src/deliver/destinations/destinations.ts'
import type { AccountRole } from '../../../src/domain/account-role.ts'
import { chooseMails, wantedMails } from '../../../src/notify/mails/mail-choice.ts'
import { mailsAreDue, sendMails } from '../../../src/notify/mails/send-mails.ts'
import type { Mailer, OutgoingMail } from '../../../src/notify/mails/smtp.ts'
import { emit } from '../../../src/notify/webhooks/emit.ts'
import { noticesAreDue, sendNotices } from '../../../src/notify/webhooks/send-notices.ts'
import { addWebhook, listEvents, removeWebhook, replayEvent } from '../../../src/notify/webhooks/webhooks.ts'
import { secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { owedOrder } from './owed-order.ts'

const database = useTestDatabase()
const db = () => database.db
const signal = new AbortController().signal
const owed = () => owedOrder(db())
// What a test left open is nothing for the next one.
afterEach(async () => {
  await db().execute(`UPDATE deliver.destination SET status = 'removed'`)
  await db().execute(`DELETE FROM deliver.mail`)
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
    db().transaction((tx) =>
      announceOfDestination(tx, destinationId, 'destination.broken', {
        reason: { code: 'CRM_UNAVAILABLE', message: 'away' },
      }),
    )

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
    expect(await mailsAreDue(db())).toBe(true)
    await sendMails(db(), mailerOf(sent), signal)
    expect(await mailsAreDue(db()), 'no job is asked for what nobody may be sent').toBe(false)
    const [account] = await db().query<{ email: string }>('SELECT email FROM access.account WHERE account_id = $1', [
      open.accountId,
    ])
    expect(sent.map(({ to }) => to)).toEqual([account?.email])
  })

  test('goes to the admin who joined first once the person for whom the account was created is removed', async () => {
    const { accountId, destinationId } = await owed()
    const [first] = await listPeople(db(), accountId)
    const email = first?.email ?? ''
    const invite = (to: string, role: AccountRole) =>
      db().transaction((tx) =>
        invitePerson(tx, accountId, {
          ...{ email: to, name: undefined, role, invitedBy: null, byMail: false, actor: 'operator' },
        }),
      )
    const join = async (to: string, role: AccountRole) => {
      const { personId } = await invite(to, role)
      await db().execute('UPDATE access.person SET joined_at = now() WHERE person_id = $1', [personId])
    }
    await join('buyer@example.in', 'buyer')
    await invite('invited@example.in', 'admin')
    await join('second@example.in', 'admin')
    await join('third@example.in', 'admin')
    const toldNow = async () => {
      // The others are also notified of each further admin.
      await db().execute('DELETE FROM deliver.mail')
      await broken(destinationId)
      await dueNow()
      const sent: OutgoingMail[] = []
      await sendMails(database.as('panji_worker'), mailerOf(sent), signal)
      return sent.map(({ to }) => to)
    }
    expect(await toldNow()).toEqual([email])
    await db().transaction((tx) => removePerson(tx, accountId, email, { actor: 'operator' }))
    expect(await toldNow()).toEqual(['second@example.in'])
    // Nor while an invitation to the same address is open.
    await invite(email, 'admin')
    expect(await toldNow()).toEqual(['second@example.in'])
    await join(email, 'viewer')
    expect(await toldNow()).toEqual([email])
  })
})

describe('webhooks', () => {
  const url = 'http://127.0.0.1:9/hook'
  const add = (accountId: string) =>
    addWebhook(db(), secretKey, { accountId, url: 'https://hook.example.com/panji', events: ['order.delivered'] })

  test('of an account are removed by itself, once, and its events are replayed by itself alone', async () => {
    const [one, other] = [await owed(), await owed()]
    const [mine, theirs] = [await add(one.accountId), await add(other.accountId)]
    await db().transaction((tx) => emit(tx, one.accountId, 'order.delivered', { order_id: one.orderId }))
    const { events } = await listEvents(db(), one.accountId, { limit: 10, offset: 0 })
    const eventId = events[0]?.event_id ?? ''
    expect(events).toMatchObject([{ type: 'order.delivered', notices: [{ webhook_id: mine.webhook_id }] }])
    await expect(replayEvent(db(), eventId, other.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await replayEvent(db(), eventId, one.accountId)).toEqual({ replayed: 1, replays: 1 })
    await expect(removeWebhook(db(), mine.webhook_id, other.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await removeWebhook(db(), mine.webhook_id, one.accountId)
    await expect(removeWebhook(db(), mine.webhook_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await replayEvent(db(), eventId, one.accountId)).toEqual({ replayed: 0, replays: 2 })
    expect((await listEvents(db(), other.accountId, { limit: 10, offset: 0 })).total).toBe(0)
    await removeWebhook(db(), theirs.webhook_id, other.accountId)
  })

  test('that are removed wait for nothing: what was due to one has failed, and the others still get theirs', async () => {
    const one = await owed()
    const [gone, stays, later] = [await add(one.accountId), await add(one.accountId), await add(one.accountId)]
    await db().transaction((tx) => emit(tx, one.accountId, 'order.delivered', { order_id: one.orderId }))
    await db().execute(`UPDATE deliver.notice SET state = 'delivered', last_status = 204 WHERE webhook_id = $1`, [
      later.webhook_id,
    ])
    for (const { webhook_id } of [gone, later]) await removeWebhook(db(), webhook_id, one.accountId)
    const { events } = await listEvents(db(), one.accountId, { limit: 10, offset: 0 })
    const stateOf = new Map(events[0]?.notices.map((notice) => [notice.webhook_id, notice]))
    expect([gone, stays, later].map(({ webhook_id }) => stateOf.get(webhook_id))).toMatchObject([
      { state: 'failed', last_error: 'the webhook was removed' },
      { state: 'pending', last_error: null },
      { state: 'delivered', last_error: null },
    ])
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
      await db().transaction((tx) => emit(tx, one.accountId, 'order.delivered', { order_id: orderId }))
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

test('a destination that is paused and resumed is told its account, once each, and neither by e-mail where both happen at once', async () => {
  const { accountId, destinationId } = await owed()
  const parts = { db: db(), connectors: [], secretKey }
  await addWebhook(db(), secretKey, { accountId, url: 'https://hook.example.com/panji' })
  const told = async () =>
    (await listEvents(db(), accountId, { limit: 10, offset: 0 })).events.map(({ type, data }) => [type, data])
  const mails = () => db().query('SELECT type, data FROM deliver.mail WHERE account_id = $1', [accountId])
  const data = { destination_id: destinationId }
  for (let n = 0; n < 2; n++) await pauseDestination(parts, destinationId, accountId)
  expect(await told()).toEqual([['delivery.paused', data]])
  expect(await mails()).toEqual([{ type: 'delivery.paused', data: { ...data, destination: expect.any(String) } }])
  for (let n = 0; n < 2; n++) await resumeDestination(parts, destinationId, accountId)
  expect((await told()).map(([type]) => type)).toEqual(['delivery.resumed', 'delivery.paused'])
  expect(await mails()).toEqual([])
})
