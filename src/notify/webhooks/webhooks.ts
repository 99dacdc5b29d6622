/** Webhooks of an account and their events: added with a secret shown once, listed, changed, removed, replayed. */
import { randomBytes, randomUUID } from 'node:crypto'
import { webhookBounds } from '../../../config/webhooks.ts'
import type { Db } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import { madeUntil } from '../../db/until.ts'
import type { Secret } from '../../domain/secret.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { holdQuotaAccount } from '../../limits/quota-account.ts'
import { refusedBy } from '../../limits/refused-by.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { seal, unseal } from '../../secrets/seal.ts'
import { webhookColumn } from '../../secrets/sealed-columns.ts'
import { type EventType, eventTypes } from '../event-types.ts'
import { faultOfUrl } from './webhook-url.ts'

export interface Webhook {
  readonly webhook_id: string
  readonly url: string
  readonly events: readonly EventType[]
  readonly created_at: Date
}

export interface NewWebhook {
  readonly accountId: string
  readonly url: string
  /** All when absent. */
  readonly events?: readonly EventType[] | undefined
  /** Also allows http, and addresses of this machine and its network. */
  readonly allowPrivate?: boolean
}

export interface SentEvent {
  readonly event_id: string
  readonly type: EventType
  readonly created_at: Date
  /** Requested as a test of a webhook. */
  readonly test: boolean
  readonly data: Readonly<Record<string, unknown>>
  readonly notices: readonly {
    readonly webhook_id: string
    readonly state: 'pending' | 'delivered' | 'failed'
    readonly attempts: number
    readonly last_status: number | null
    readonly last_error: string | null
  }[]
}

const { perAccountMax: webhooksMax } = webhookBounds
export const webhookUse = (webhookId: string) => ({ purpose: webhookColumn.purpose, boundTo: webhookId })

/**
 * @returns the webhook with its secret, `whsec_…`, shown only now. @throws AppError UNPROCESSABLE, NOT_FOUND,
 * QUOTA_EXCEEDED
 */
export async function addWebhook(
  db: Db,
  secretKey: Secret,
  { accountId, url, events = eventTypes, allowPrivate = false }: NewWebhook,
): Promise<Webhook & { readonly secret: string }> {
  requireUrl(url, allowPrivate)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhookId = randomUUID()
  return db.transaction(async (tx) => {
    const key = await sealingKey(tx, secretKey)
    await holdQuotaAccount(tx, accountId)
    const [stored] = await tx.query<{ used: number }>(
      'SELECT count(*) AS used FROM deliver.webhook WHERE account_id = $1 AND removed_at IS NULL',
      [accountId],
    )
    if (stored && stored.used >= webhooksMax) {
      const extra = { quota: 'webhooks', limit: webhooksMax, used: stored.used }
      throw refusedBy('webhooks', `An account has at most ${webhooksMax} webhooks.`, { extra })
    }
    const [row] = await tx.query<Webhook>(
      `INSERT INTO deliver.webhook (webhook_id, account_id, url, host, events, secret_encrypted) VALUES ($1, $2, $3, $4, $5, $6)
       RETURNING webhook_id, url, events, created_at`,
      [webhookId, accountId, url, new URL(url).host, [...new Set(events)], seal(secret, webhookUse(webhookId), key)],
    )
    if (!row) throw new Error('the webhook was not stored')
    return { ...row, secret }
  })
}

export function listWebhooks(db: Db, accountId: string): Promise<Webhook[]> {
  return db.query<Webhook>(
    `SELECT webhook_id, url, events, created_at FROM deliver.webhook
     WHERE account_id = $1 AND removed_at IS NULL ORDER BY created_at, webhook_id`,
    [accountId],
  )
}

/**
 * Members left out keep their value, and what waits for the webhook goes to its new URL. @throws AppError
 * UNPROCESSABLE, NOT_FOUND
 */
export async function changeWebhook(
  db: Db,
  webhookId: string,
  { accountId, url, events, allowPrivate = false }: Omit<NewWebhook, 'url'> & { readonly url?: string | undefined },
): Promise<Webhook> {
  if (url !== undefined) requireUrl(url, allowPrivate)
  const [changed] = isUuid(webhookId)
    ? await db.query<Webhook>(
        `UPDATE deliver.webhook SET url = coalesce($3, url), host = coalesce($4, host), events = coalesce($5, events)
         WHERE webhook_id = $1 AND account_id = $2 AND removed_at IS NULL RETURNING webhook_id, url, events, created_at`,
        [
          webhookId,
          accountId,
          url ?? null,
          url === undefined ? null : new URL(url).host,
          events && [...new Set(events)],
        ],
      )
    : []
  if (!changed) throw new AppError('NOT_FOUND', `There is no webhook ${webhookId}.`)
  return changed
}

function requireUrl(url: string, allowPrivate: boolean): void {
  const fault = faultOfUrl(url, allowPrivate)
  if (fault !== null) throw new AppError('UNPROCESSABLE', `url ${fault}.`, { extra: { parameter: 'url' } })
}

/** For a receiver run by the operator. @throws AppError NOT_FOUND, SECRET_KEY_WRONG */
export async function secretOfWebhook(db: Db, secretKey: Secret, webhookId: string): Promise<string> {
  const [webhook] = isUuid(webhookId)
    ? await db.query<{ sealed: Buffer }>(
        'SELECT secret_encrypted AS sealed FROM deliver.webhook WHERE webhook_id = $1 AND removed_at IS NULL',
        [webhookId],
      )
    : []
  if (!webhook) throw new AppError('NOT_FOUND', `There is no webhook ${webhookId}.`)
  const secret = unseal(webhook.sealed, webhookUse(webhookId), secretKey)
  if (secret !== undefined) return secret
  throw new AppError(
    'SECRET_KEY_WRONG',
    `The secret of webhook ${webhookId} cannot be opened with this PANJI_SECRET_KEY`,
  )
}

/** Events that are waiting for it are dropped. @throws AppError NOT_FOUND */
export async function removeWebhook(db: Db, webhookId: string, accountId?: string): Promise<{ webhook_id: string }> {
  const removed = isUuid(webhookId)
    ? await db.execute(
        `UPDATE deliver.webhook SET removed_at = now(), secret_encrypted = ''
         WHERE webhook_id = $1 AND removed_at IS NULL AND ($2::uuid IS NULL OR account_id = $2)`,
        [webhookId, accountId ?? null],
      )
    : 0
  if (removed === 0) throw new AppError('NOT_FOUND', `There is no webhook ${webhookId}.`)
  return { webhook_id: webhookId }
}

export const eventSorts = listSorts('created_at-', {
  by: { created_at: 'e.created_at', type: 'e.type' },
  tie: 'e.created_at DESC, e.event_id',
})

interface EventPage {
  /** When the newest of them happened. */
  readonly until?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly sort?: SortOf<'created_at' | 'type'> | undefined
}

/** Newest first unless `sort` says otherwise; `total` counts all pages. */
export async function listEvents(
  db: Db,
  accountId: string,
  { until, limit, offset, sort }: EventPage,
): Promise<{ readonly events: SentEvent[]; readonly total: number }> {
  const filter = sql`e.account_id = $1 AND ${madeUntil('e.created_at', '$2')}`
  const values = [accountId, until ?? null]
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM deliver.event e WHERE ${filter}`,
    values,
  )
  const events = await db.query<SentEvent>(
    sql`SELECT e.event_id, e.type, e.created_at, e.is_test AS test, e.data,
       coalesce((SELECT jsonb_agg(jsonb_build_object('webhook_id', n.webhook_id,
         'state', CASE WHEN is_dropped THEN 'failed' ELSE n.state END, 'attempts', n.attempts, 'last_status', n.last_status,
         'last_error', CASE WHEN is_dropped THEN 'the webhook was removed' ELSE n.last_error END) ORDER BY n.webhook_id)
         FROM deliver.notice n JOIN deliver.webhook w USING (webhook_id),
           LATERAL (SELECT n.state = 'pending' AND w.removed_at IS NOT NULL AS is_dropped) AS waiting
         WHERE n.event_id = e.event_id), '[]') AS notices
     FROM deliver.event e WHERE ${filter} ORDER BY ${eventSorts.orderBy(sort)} LIMIT $3 OFFSET $4`,
    [...values, limit, offset],
  )
  return { events, total: counted?.total ?? 0 }
}

/**
 * Sends an event again to the current webhooks, with its own ID and a full set of attempts; one that is due within a
 * minute is sent once. @throws AppError NOT_FOUND, QUOTA_EXCEEDED for an event that was replayed too often.
 */
export async function replayEvent(
  db: Db,
  eventId: string,
  accountId: string,
): Promise<{ readonly replayed: number; readonly replays: number }> {
  const { replaysMax } = webhookBounds
  return db.transaction(async (tx) => {
    const [event] = isUuid(eventId)
      ? await tx.query<{ replays: number }>(
          'SELECT replays FROM deliver.event WHERE event_id = $1 AND account_id = $2 FOR UPDATE',
          [eventId, accountId],
        )
      : []
    if (!event) throw new AppError('NOT_FOUND', `There is no event ${eventId}.`)
    if (event.replays >= replaysMax) {
      const extra = { quota: 'replays', limit: replaysMax, used: event.replays }
      throw refusedBy('webhooks', `An event is replayed at most ${replaysMax} times.`, { extra })
    }
    await tx.execute('UPDATE deliver.event SET replays = replays + 1 WHERE event_id = $1', [eventId])
    // A notice being sent is leased for a minute, so that it is not sent twice at once.
    const isDue = sql`n.state = 'pending' AND n.next_attempt_at <= clock_timestamp() + interval '1 minute'`
    const replayed = await tx.execute(
      sql`INSERT INTO deliver.notice AS n (event_id, webhook_id)
       SELECT e.event_id, w.webhook_id FROM deliver.event e
       JOIN deliver.webhook w ON w.account_id = e.account_id AND w.removed_at IS NULL AND e.type = ANY(w.events)
       WHERE e.event_id = $1
       ON CONFLICT (event_id, webhook_id) DO UPDATE
         SET state = 'pending', attempts = CASE WHEN ${isDue} THEN n.attempts ELSE 0 END,
             next_attempt_at = CASE WHEN ${isDue} THEN n.next_attempt_at ELSE now() END,
             due_since = CASE WHEN ${isDue} THEN n.due_since ELSE now() END`,
      [eventId],
    )
    return { replayed, replays: event.replays + 1 }
  })
}
