/**
 * Each statement that changes the state of a record or of a delivery, run in every state that it can meet: what comes of it is
 * what the tables say. No CRM is behind the destination and no worker before it.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { sqlFile } from '../../../src/db/sql-file.ts'
import { readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { verifyAccount } from '../../../src/deliver/destinations/verify-account.ts'
import { refreshDelivered } from '../../../src/deliver/fresh/refresh-delivered.ts'
import type { Lease } from '../../../src/deliver/lease/lease.ts'
import { enqueuePush } from '../../../src/deliver/push/enqueue.ts'
import { endJob } from '../../../src/deliver/record/job.ts'
import { claimLeads, giveBack, recordOutcomes, settleUnknown, takeOver } from '../../../src/deliver/record/ledger.ts'
import { recreate } from '../../../src/deliver/record/recreate.ts'
import { fixRejected } from '../../../src/deliver/record/rejected/fix-rejected.ts'
import { refreshRejected } from '../../../src/deliver/record/rejected/refresh-rejected.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import {
  deliveryTransitions,
  type RecordEvent,
  type RecordState,
  recordStates,
  recordTransitions,
  stateAfter,
} from '../../../src/deliver/record/transitions.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import { AppError } from '../../../src/errors.ts'
import { settingsOf } from '../../../src/suppression/suppression-key.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertPush, owedOrder } from './owed-order.ts'
import { insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const db = () => database.db
const queue = recordJobs()
const holdUnapproved = sqlFile(import.meta.url, '../../../src/deliver/destinations/hold-unapproved.sql')
const recallSettle = sqlFile(import.meta.url, '../../../src/deliver/recall/recall-settle.sql')
const lead = gstLead(0)
const refusal = { code: 'INVALID_EMAIL', field: 'Email', message: 'no address' }
const created: PushOutcome = { status: 'created', crmId: '1', values: {} }

interface World {
  readonly accountId: string
  readonly orderId: string
  readonly destinationId: string
  readonly deliveryId: string
  readonly lease: Lease
}

interface Case {
  /** What an event needs beside the state: columns of the record, as SQL. */
  readonly given?: string
  run(world: World): Promise<unknown>
}

const answer = (outcome: PushOutcome, given = ''): Case => ({
  given,
  run: ({ lease }) => recordOutcomes(db(), lease, [lead], [outcome]),
})
const pushed = async ({ orderId, destinationId }: World, tx = db()) => {
  const pushId = await insertPush(tx, orderId, destinationId)
  return tx.transaction((inner) => enqueuePush(inner, { pushId, orderId, destinationId }))
}
const objected = async ({ orderId, destinationId }: World) => {
  const pushId = await insertPush(db(), orderId, destinationId)
  await db().transaction(async (tx) => {
    for (const [name, value] of Object.entries(settingsOf(Buffer.alloc(32, 1))))
      await tx.query('SELECT set_config($1, $2, true)', [name, value])
    // Hashed under a key that is lost: nothing leaves.
    await tx.execute(
      `INSERT INTO access.suppression (kind, hash, key_id, created_by) VALUES ('pan', '\\x01', repeat('0', 16), 'test')`,
    )
    await enqueuePush(tx, { pushId, orderId, destinationId })
    await tx.execute('DELETE FROM access.suppression')
  })
}
/** The record was requested by an order alone whose items were withdrawn. */
const takenBack = async ({ orderId, destinationId, lease }: World) => {
  const become = `UPDATE deliver.delivery SET item_id = i.item_id FROM orders.item i JOIN orders.purchase p USING (order_id)
    JOIN deliver.destination o USING (account_id)
    WHERE delivery.destination_id = $1 AND o.destination_id = $1 AND (i.order_id = $2) = $3`
  await db().execute(become, [destinationId, orderId, false])
  await db().execute(
    `UPDATE deliver.record r SET item_id = d.item_id FROM deliver.delivery d
     WHERE r.destination_id = $1 AND d.destination_id = $1 AND d.external_id = r.external_id`,
    [destinationId],
  )
  await takeOver(db(), lease)
  await db().execute(become, [destinationId, orderId, true])
}
const another = (word: string) => `sha256('${word}'::bytea)`
/** Of one that keeps its leads as they were bought, what was delivered once stays: test/integration/deliver/rejected-rows.test.ts. */
const keepFresh = ({ destinationId }: World) =>
  db().execute(`UPDATE deliver.destination SET keep = 'fresh' WHERE destination_id = $1`, [destinationId])
const retry = (selection: Parameters<typeof retryDeliveries>[2]) =>
  db().transaction((tx) => retryDeliveries(tx, queue, selection))

const cases: Readonly<Record<Exclude<RecordEvent, 'enqueued_in_flight' | 'enqueued_unknown'>, Case>> = {
  enqueued: { given: `desired_sha256 = ${another('before')}`, run: pushed },
  enqueued_as_acknowledged: {
    given: `acknowledged_sha256 = desired_sha256, desired_sha256 = ${another('before')}`,
    run: pushed,
  },
  enqueued_objected: { given: `desired_sha256 = ${another('before')}`, run: objected },
  claimed: { run: ({ lease }) => claimLeads(db(), lease, 10) },
  withdrawn: { run: takenBack },
  acknowledged: answer(created),
  acknowledged_outdated: answer(created, `sent_sha256 = ${another('before')}`),
  acknowledged_unsettled: answer(created, 'unconfirmed = ARRAY[gen_random_uuid()]'),
  rejected: answer({ status: 'rejected', ...refusal }),
  rejected_outdated: answer({ status: 'rejected', ...refusal }, 'sent_item_id = gen_random_uuid()'),
  deferred: answer({ status: 'deferred', afterMs: 1, ...refusal }),
  unanswered: answer({ status: 'unknown', message: 'no answer' }),
  not_sent: { run: ({ lease }) => giveBack(db(), lease, [lead], 'pending') },
  call_failed: { run: ({ lease }) => giveBack(db(), lease, [lead], 'unknown') },
  abandoned: { given: 'fence = gen_random_uuid()', run: ({ lease }) => takeOver(db(), lease) },
  looked_up: { run: ({ lease }) => settleUnknown(db(), lease, [lead.externalId], new Map()) },
  retried: { run: ({ destinationId }) => retry({ destinationId }) },
  retried_alone: { run: ({ deliveryId }) => retry({ deliveryId }) },
  resent: { run: ({ destinationId }) => db().transaction((tx) => resendWithin(tx, queue, { destinationId })) },
  recreated: { run: ({ destinationId }) => recreate(db(), destinationId, [lead.externalId]) },
  fixed: {
    run: ({ accountId, deliveryId }) =>
      db().transaction((tx) => fixRejected(tx, queue, [{ deliveryId, values: { Company: randomUUID() } }], accountId)),
  },
  register_changed: {
    run: async (world) => {
      await keepFresh(world)
      await refreshRejected(db(), queue, async (_, itemIds) =>
        itemIds.map((itemId) => ({ itemId, row: { ...lead.row, Company: 'ANOTHER' }, runId: 4711 })),
      )
    },
  },
  refreshed: {
    given: 'changed_by_run = 1, acknowledged_at = now()',
    run: async (world) => {
      await keepFresh(world)
      await refreshDelivered(db(), queue, async (_, itemIds) =>
        itemIds.map((itemId) => ({ itemId, row: { ...lead.row, Company: 'ANOTHER' }, runId: 4711 })),
      )
    },
  },
  account_changed: {
    run: async ({ destinationId }) => {
      await verifyAccount(db(), await readDestination(db(), destinationId), { account: randomUUID(), recordUrls: {} })
      await db().execute('UPDATE deliver.destination SET set_up_at = now() WHERE destination_id = $1', [destinationId])
    },
  },
  unapproved: {
    given: "acknowledged_at = now(), acknowledged_sha256 = sha256('before')",
    run: async ({ destinationId }) => {
      const requestedBy = (by: string) =>
        db().execute(
          `UPDATE deliver.push SET asked_by = $2 FROM deliver.delivery d
           WHERE push.push_id = d.push_id AND d.destination_id = $1`,
          [destinationId, by],
        )
      await requestedBy('order')
      await db().execute(holdUnapproved, [destinationId])
      await requestedBy('request')
    },
  },
  recalled: { run: ({ destinationId }) => db().query(recallSettle, [destinationId, [lead.externalId], '{}', []]) },
}

/** Columns of a record that stands still but for its state: what was sent and is desired is the lead of its order. */
async function become(world: World, record: RecordState, delivery: RecordState, given = ''): Promise<void> {
  const { destinationId, lease } = world
  const plain = `UPDATE deliver.record r SET item_id = l.item_id, state = $2, fence = CASE $2 WHEN 'sending' THEN $3::uuid END, outcome = NULL,
    desired_sha256 = sha256(convert_to(l.flat::text, 'UTF8')), sent_sha256 = sha256(convert_to(l.flat::text, 'UTF8')),
    sent_item_id = l.item_id, version = l.built_at, sent_version = l.built_at, acknowledged_sha256 = NULL,
    acknowledged_at = NULL, unconfirmed = NULL, fixes = NULL, reading = NULL, recreate = false, attempts = 0,
    next_attempt_at = NULL, last_error = NULL, compared_version = NULL, changed_by_run = NULL
    FROM orders.lead l JOIN deliver.delivery d USING (item_id)
    WHERE d.destination_id = $1 AND r.destination_id = d.destination_id AND r.external_id = d.external_id`
  await db().execute(plain, [destinationId, record, lease.fence])
  if (given !== '') await db().execute(`UPDATE deliver.record SET ${given} WHERE destination_id = $1`, [destinationId])
  await db().execute(
    `UPDATE deliver.delivery d SET state = $2, version = r.version FROM deliver.record r
     WHERE d.destination_id = $1 AND r.destination_id = $1 AND r.external_id = d.external_id`,
    [destinationId, delivery],
  )
}

const statesOf = async ({ destinationId }: World) => {
  const [row] = await db().query<{ record: RecordState; delivery: RecordState }>(
    `SELECT r.state AS record, d.state AS delivery FROM deliver.record r JOIN deliver.delivery d USING (destination_id, external_id)
     WHERE r.destination_id = $1`,
    [destinationId],
  )
  return row
}

/** What an order that is asked for again means for a record whose outcome is open. */
function meant(event: RecordEvent, record: RecordState): RecordEvent {
  if (!event.startsWith('enqueued')) return event
  if (record === 'sending') return 'enqueued_in_flight'
  if (record === 'unknown') return 'enqueued_unknown'
  // What waits may have to be sent again although the CRM acknowledged it.
  return event === 'enqueued_as_acknowledged' && record === 'pending' ? 'enqueued' : event
}

function expected(event: RecordEvent, record: RecordState, delivery: RecordState) {
  // A record that waits although its delivery does not was requested by a person.
  const isAutomatic = event !== 'unapproved' || delivery === 'pending' || delivery === 'unknown'
  const moves = isAutomatic && record in recordTransitions[event]
  return {
    record: moves ? stateAfter(recordTransitions, event, record) : record,
    delivery: moves ? stateAfter(deliveryTransitions, event, delivery) : delivery,
  }
}

describe('in every state', () => {
  let world: World
  beforeAll(async () => {
    const { accountId, orderId, destinationId } = await owedOrder(db(), 1)
    const withdrawn = await insertOrder(db(), accountId, [lead])
    await db().execute('UPDATE orders.item SET withdrawn_at = now() WHERE order_id = $1', [withdrawn])
    const lease = { destinationId, fence: randomUUID() }
    await db().execute(
      `UPDATE deliver.destination SET leased_to = $2, leased_until = 'infinity', verified_account = 'first', set_up_at = now()
       WHERE destination_id = $1`,
      [destinationId, lease.fence],
    )
    const [row] = await db().query<{ id: string }>(
      'SELECT delivery_id AS id FROM deliver.delivery WHERE destination_id = $1',
      [destinationId],
    )
    world = { accountId, orderId, destinationId, deliveryId: row?.id ?? '', lease }
  })

  test.each(Object.entries(cases))('%s does what the tables say, and nothing else', async (name, { given, run }) => {
    const found: object[] = []
    const wanted: object[] = []
    for (const record of recordStates)
      for (const delivery of recordStates.filter((state) => state !== 'sending')) {
        await become(world, record, delivery, given)
        // Who answers for a row that is not theirs hears so.
        await run(world).catch((error: unknown) => {
          if (!(error instanceof AppError && error.code === 'LEASE_LOST')) throw error
        })
        found.push({ from: [record, delivery], ...(await statesOf(world)) })
        wanted.push({ from: [record, delivery], ...expected(meant(name as RecordEvent, record), record, delivery) })
      }
    expect(found).toEqual(wanted)
  })

  test('the end of a job does what a failed call does', async () => {
    for (const record of recordStates) {
      await become(world, record, 'pending')
      await endJob(db(), world.lease)
      expect(await statesOf(world)).toEqual(expected('call_failed', record, 'pending'))
    }
  })
})
