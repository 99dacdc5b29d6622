/** An order of many leads is enqueued part by part: it leaves before all of it is enqueued, and is delivered once. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { enqueuePush, itemsAtOnce } from '../../../src/deliver/push/enqueue.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { insertOrder } from './paid-order.ts'
import { usePushes } from './pushes-by-hand.ts'

const org = usePushes()
const { database, addOrg, request, run, countsOf, push, upserts } = org
let accountId: string
let sandbox: Sandbox
beforeEach(() => {
  ;({ accountId, sandbox } = org)
})

describe('an order that is enqueued in parts', () => {
  const enqueuedOf = async (destinationId: string) =>
    (await database.db.query('SELECT FROM deliver.record WHERE destination_id = $1', [destinationId])).length
  const deliveredEvents = () =>
    database.db.query<{ data: { created: number } }>(
      `SELECT data FROM deliver.event WHERE account_id = $1 AND type = 'order.delivered'`,
      [accountId],
    )
  beforeEach(async () => {
    await database.db.execute(
      `INSERT INTO deliver.webhook (webhook_id, account_id, url, events, secret_encrypted)
       VALUES (gen_random_uuid(), $1, 'https://hears.example', '{order.delivered}', '')`,
      [accountId],
    )
  })

  test('is delivered once its last part is, and who comes next goes on behind the part that is there', async () => {
    const destinationId = await addOrg()
    const orderId = await insertOrder(
      database.db,
      accountId,
      [0, 1, 2, 3, 4].map((n) => gstLead(n)),
    )
    const dueIn = (time: string) =>
      database.db.execute(`UPDATE deliver.push SET due_at = now() + $2::interval WHERE order_id = $1`, [orderId, time])
    const [{ pushId } = { pushId: '' }] = await database.db.query<{ pushId: string }>(
      `INSERT INTO deliver.push (destination_id, order_id, status) VALUES ($1, $2, 'queued') RETURNING push_id AS "pushId"`,
      [destinationId, orderId],
    )
    await database.db.transaction((tx) => enqueuePush(tx, { pushId, orderId, destinationId }, 2))
    // So that nobody goes on with it for now.
    await dueIn('1 hour')
    await run(destinationId)
    expect(await readPush(database.db, pushId)).toMatchObject({ status: 'running', counts: { created: 2, pending: 3 } })
    expect(await deliveredEvents()).toEqual([])

    await dueIn('0')
    await run(destinationId)
    expect(await readPush(database.db, pushId)).toMatchObject({
      status: 'finished',
      counts: { created: 5, pending: 0 },
    })
    expect(await deliveredEvents()).toMatchObject([{ data: { created: 5 } }])
    expect(upserts().flatMap(({ body }) => (body as { records: unknown[] }).records)).toHaveLength(5)
  })

  test('leaves before all of it is enqueued; where the parts of two orders mix, the newer reading of each lead wins', async () => {
    const destinationId = await addOrg({ bulk_from: 'off' })
    const count = itemsAtOnce + 200
    // Set-up holds the account, as enqueuing does, so it comes before.
    await push(await insertOrder(database.db, accountId, [gstLead(count)]), destinationId)
    const leads = (city: string) => Array.from({ length: count }, (_, n) => gstLead(n, { City: city }))
    const older = await insertOrder(database.db, accountId, leads('Margao'))
    const newer = await insertOrder(database.db, accountId, leads('Panaji'))
    const [, olderPush] = [await request(newer, destinationId), await request(older, destinationId)]
    // The rest of the newer order cannot be enqueued while this is held.
    const delivered = await database.db.transaction(async (tx) => {
      await tx.query('SELECT FROM deliver.push WHERE order_id = $1 FOR UPDATE', [newer])
      const running = run(destinationId)
      await vi.waitFor(() => expect(sandbox.records()).toHaveLength(1 + 200), { timeout: 60_000, interval: 20 })
      expect(await enqueuedOf(destinationId)).toBe(1 + itemsAtOnce)
      return { running }
    })
    await delivered.running
    expect(await enqueuedOf(destinationId)).toBe(1 + count)
    expect(sandbox.records()).toHaveLength(1 + count)
    expect(sandbox.records().filter(({ properties }) => properties['City'] === 'Panaji')).toHaveLength(count)
    expect(await countsOf(olderPush)).toMatchObject({ unchanged: count, pending: 0 })
    expect(await deliveredEvents()).toHaveLength(1 + 2)
  })
})
