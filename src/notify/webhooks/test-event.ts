/**
 * An event requested to test one webhook: the example of its type, marked as a test, signed and sent like any other,
 * and once. A worker sends a queued one; a command sends it itself and reports the response.
 */
import { webhookBounds } from '../../../config/webhooks.ts'
import type { Db } from '../../db/db.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { refusedBy } from '../../limits/refused-by.ts'
import { type EventType, events } from '../event-types.ts'
import { type DueNotice, type NoticeParts, type Sent, sendOne } from './send-notices.ts'

export interface TestEvent {
  readonly webhookId: string
  /** The account that must own the webhook; any when unset. */
  readonly accountId?: string | undefined
  readonly type: EventType
}

/** @returns once it is queued. @throws AppError NOT_FOUND, QUOTA_EXCEEDED */
export const queueTestEvent = async (db: Db, test: TestEvent): Promise<{ readonly event_id: string }> => ({
  event_id: (await insertTest(db, test, 'queued')).eventId,
})

/** @returns the receiver's response. @throws AppError NOT_FOUND, QUOTA_EXCEEDED */
export async function sendTestEvent(
  parts: NoticeParts,
  test: TestEvent,
  signal: AbortSignal,
): Promise<Sent & { readonly event_id: string }> {
  const notice = await insertTest(parts.db, test, 'leased')
  return { event_id: notice.eventId, ...(await sendOne(parts, notice, signal)) }
}

/** `leased`: no worker sends it within the next minute. */
function insertTest(db: Db, { webhookId, accountId, type }: TestEvent, state: 'queued' | 'leased'): Promise<DueNotice> {
  return db.transaction(async (tx) => {
    const [webhook] = isUuid(webhookId)
      ? await tx.query<{ owner: string }>(
          `SELECT w.account_id AS owner FROM deliver.webhook w JOIN access.account a USING (account_id)
           WHERE w.webhook_id = $1 AND ($2::uuid IS NULL OR w.account_id = $2)
             AND a.suspended_at IS NULL AND a.erased_at IS NULL`,
          [webhookId, accountId ?? null],
        )
      : []
    // Locks all webhooks of the account, because two may be tested at once and their tests count together. The worker,
    // which may send it, has no right to lock the account.
    const held = await tx.query<{ id: string }>(
      `SELECT webhook_id AS id FROM deliver.webhook WHERE account_id = $1 AND removed_at IS NULL
       ORDER BY webhook_id FOR NO KEY UPDATE`,
      [webhook?.owner ?? null],
    )
    if (!webhook || !held.some(({ id }) => id === webhookId.toLowerCase())) {
      throw new AppError('NOT_FOUND', `There is no webhook ${webhookId}.`)
    }
    const [sent] = await tx.query<{ tests: number }>(
      `SELECT count(*) AS tests FROM deliver.event
       WHERE account_id = $1 AND is_test AND created_at > clock_timestamp() - interval '1 hour'`,
      [webhook.owner],
    )
    const { testsPerHour } = webhookBounds
    if (sent && sent.tests >= testsPerHour) {
      const extra = { quota: 'webhook_tests', limit: testsPerHour, used: sent.tests }
      throw refusedBy('webhooks', `An account sends at most ${testsPerHour} test events an hour.`, { extra })
    }
    // A notice belongs to the account of its event, which the database only sees once the event's statement is
    // complete.
    const [event] = await tx.query<{ id: string }>(
      'INSERT INTO deliver.event (account_id, type, data, is_test) VALUES ($1, $2, $3, true) RETURNING event_id AS id',
      [webhook.owner, type, JSON.stringify(events[type].example)],
    )
    const [notice] = await tx.query<DueNotice>(
      `WITH due AS (
         INSERT INTO deliver.notice (event_id, webhook_id, attempts, next_attempt_at)
         VALUES ($1, $2, $3::integer, clock_timestamp() + $3::integer * interval '1 minute') RETURNING *
       )
       SELECT event_id AS "eventId", webhook_id AS "webhookId", w.account_id AS "accountId",
         coalesce(w.host, webhook_id::text) AS host, w.url, w.secret_encrypted AS secret, e.type, e.data,
         e.created_at AS "createdAt", due.attempts, e.is_test AS "isTest"
       FROM due JOIN deliver.event e USING (event_id) JOIN deliver.webhook w USING (webhook_id)`,
      [event?.id, webhookId, state === 'leased' ? 1 : 0],
    )
    if (!notice) throw new Error('the test event was not stored')
    return notice
  })
}
