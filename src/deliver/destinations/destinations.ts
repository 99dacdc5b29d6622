/**
 * Destinations of an account: add with checked settings, change, pause, resume, remove. A destination keeps its
 * identity and its ledger when it gets new credentials. Each of these is idempotent.
 */
import { randomUUID } from 'node:crypto'
import type { Connector } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { requireRevision } from '../../db/revision.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { Secret } from '../../domain/secret.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { holdQuotaAccount } from '../../limits/quota-account.ts'
import { requireRoom } from '../../limits/stored-quota.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { dueAtOnce, matchAgain } from '../lease/due-at-once.ts'
import { reopenLimiter } from '../lease/limiter.ts'
import { announceOfDestination } from './announce.ts'
import { settingsAfter } from './changed-settings.ts'
import { type DeliveryTerms, readTerms } from './delivery-terms.ts'
import { nameTaken, readName } from './destination-name.ts'
import { type DestinationView, viewOf } from './destination-view.ts'
import {
  type DeliveryParts,
  type DestinationRow,
  destinationColumns,
  findConnector,
  type KeptTerms,
  readDestination,
} from './open-destination.ts'
import { encryptSettings } from './settings-cipher.ts'

export interface NewDestination extends DeliveryTerms {
  readonly accountId: string
  /** A name of connectors/index.ts. */
  readonly connector: string
  readonly name: string
  readonly settings: unknown
}

/** The changeable part of a destination; members that are not given stay as they are. */
export interface DestinationChange extends DeliveryTerms {
  readonly name?: string | undefined
  readonly settings?: unknown
  /** Instead of replacing all settings: options of the connector, merged over the stored ones. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

const rescheduleSql = sqlFile(import.meta.url, 'reschedule.sql')
const holdUnapprovedSql = sqlFile(import.meta.url, 'hold-unapproved.sql')
const releaseUnapprovedSql = sqlFile(import.meta.url, 'release-unapproved.sql')

const termColumns = 'deliver, customer_share, batch_size, hours, pause_at_rejected, keep, adopt_from, ask_from'
/** In the order of `termColumns`. */
const termValues = (terms: KeptTerms): readonly unknown[] => [
  ...[terms.deliver, terms.customerShare, terms.batchSize, terms.hours],
  ...[terms.pauseAtRejected, terms.keep, terms.adoptFrom, terms.askFrom],
]

/** @throws AppError DESTINATION_INVALID, NOT_FOUND (the account), CONFLICT (the name is in use), QUOTA_EXCEEDED. */
export async function addDestination(
  db: Db,
  connectors: readonly Connector[],
  secretKey: Secret,
  given: NewDestination,
): Promise<DestinationView> {
  const connector = findConnector(connectors, given.connector)
  const settings = connector.readSettings(given.settings)
  const name = readName(given.name)
  const terms = readTerms(given)
  const { accountId } = given
  if (!isUuid(accountId)) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`)
  const destinationId = randomUUID()
  const [row] = await db.transaction(async (tx) => {
    await requireRoom(tx, await holdQuotaAccount(tx, accountId), 'destinations', 1)
    const stored = encryptSettings(settings.values, { destinationId, accountId }, await sealingKey(tx, secretKey))
    // The unique index on (account, name) decides between two that are added at the same time.
    return tx.query<DestinationRow>(
      sql`INSERT INTO deliver.destination
         (destination_id, account_id, connector, name, settings_encrypted, remote_account, ${termColumns})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       ON CONFLICT (account_id, name) WHERE status <> 'removed' DO NOTHING
       RETURNING ${destinationColumns}`,
      [destinationId, accountId, connector.name, name, stored, settings.remoteAccount, ...termValues(terms)],
    )
  })
  if (!row) throw nameTaken(name)
  return viewOf({ db, connectors, secretKey }, row)
}

/**
 * Changes credentials, name or terms of delivery; the destination keeps its identity and its ledger. New settings
 * close its breaker, and the next attempt verifies them.
 * @param read the revision that the caller read; without it, the change applies to any revision.
 * @throws as addDestination, and CONFLICT if the revision has changed
 */
export async function updateDestination(
  parts: DeliveryParts,
  destinationId: string,
  change: DestinationChange,
  accountId?: string,
  read?: string,
): Promise<DestinationView> {
  await parts.db.transaction(async (tx) => {
    // Members that are not given keep their current value, including a change that another person or the CRM made
    // just now.
    const row = await readDestination(tx, destinationId, accountId, 'FOR NO KEY UPDATE')
    requireRevision('This destination was', viewOf(parts, row).revision, read)
    const name = change.name === undefined ? row.name : readName(change.name)
    const terms = readTerms(change, row)
    const settings = settingsAfter(parts, row, change)
    const [existing] = await tx.query(
      `SELECT FROM deliver.destination
       WHERE account_id = $1 AND name = $2 AND destination_id <> $3 AND status <> 'removed'`,
      [row.accountId, name, destinationId],
    )
    if (existing) throw nameTaken(name)
    await tx.execute(
      sql`UPDATE deliver.destination SET name = $2, (${termColumns}) = ($3, $4, $5, $6, $7, $8, $9, $10)
       WHERE destination_id = $1 AND status <> 'removed'`,
      [destinationId, name, ...termValues(terms)],
    )
    if (terms.deliver !== row.deliver) {
      await tx.execute(rescheduleSql, [destinationId])
      // After the pushes have ended, so that none enqueues in between.
      await tx.execute(terms.deliver === 'approved' ? holdUnapprovedSql : releaseUnapprovedSql, [destinationId])
    }
    const areScoresNew = terms.adoptFrom !== row.adoptFrom || terms.askFrom !== row.askFrom
    if (areScoresNew || settings !== null) await matchAgain(tx, destinationId)
    if (settings === null) return
    const stored = encryptSettings(settings.values, row, await sealingKey(tx, parts.secretKey))
    // A worker that still uses the old settings loses the lease and can no longer record their outcome.
    await tx.execute(
      `UPDATE deliver.destination SET settings_encrypted = $2, leased_to = NULL, leased_until = NULL, remote_account = $3, set_up_at = NULL, learned_batch_size = NULL, failures = 0,
         failure = NULL, retry_at = NULL, status = CASE status WHEN 'broken' THEN 'active' ELSE status END,
         status_reason = CASE status WHEN 'broken' THEN NULL ELSE status_reason END
       WHERE destination_id = $1 AND status <> 'removed'`,
      [destinationId, stored, settings.remoteAccount],
    )
    await reopenLimiter(tx, destinationId)
    await dueAtOnce(tx, destinationId)
  })
  return viewOf(parts, await readDestination(parts.db, destinationId))
}

/** A paused destination is sent nothing; leads requested while it is paused wait. */
export function pauseDestination(
  parts: DeliveryParts,
  destinationId: string,
  accountId?: string,
): Promise<DestinationView> {
  return setStatus(parts, destinationId, 'paused', 'paused by request', accountId)
}

/** Waiting leads are sent at once; a broken destination is retried at once. */
export function resumeDestination(
  parts: DeliveryParts,
  destinationId: string,
  accountId?: string,
): Promise<DestinationView> {
  return setStatus(parts, destinationId, 'active', null, accountId)
}

/**
 * The row stays for its ledger, which a later destination into the same CRM account adopts; the credentials are
 * deleted.
 */
export async function removeDestination(
  parts: DeliveryParts,
  destinationId: string,
  accountId?: string,
): Promise<DestinationView> {
  const row = await readDestination(parts.db, destinationId, accountId)
  const view = viewOf(parts, row)
  await parts.db.transaction(async (tx) => {
    await tx.execute(
      `UPDATE deliver.destination SET status = 'removed', status_reason = NULL, failure = NULL, retry_at = NULL,
         leased_to = NULL, leased_until = NULL,
         settings_encrypted = '' WHERE destination_id = $1`,
      [destinationId],
    )
    await tx.execute(
      `UPDATE deliver.push SET status = 'finished', finished_at = now()
       WHERE destination_id = $1 AND status <> 'finished'`,
      [destinationId],
    )
    // Standing orders with other destinations continue with those; one without any waits until a destination is chosen.
    await tx.execute(
      `UPDATE orders.standing_order SET destinations = array_remove(destinations, $1::uuid), mappings = mappings - $1::text
       WHERE account_id = $2 AND $1::uuid = ANY (destinations) AND cardinality(destinations) > 1`,
      [destinationId, row.accountId],
    )
  })
  return view
}

/** Resuming a broken destination announces nothing yet: its recovery is announced once it is known to work again. */
const eventOf = (before: string, after: 'active' | 'paused') =>
  before === after
    ? undefined
    : after === 'paused'
      ? 'delivery.paused'
      : before === 'paused'
        ? 'delivery.resumed'
        : undefined

async function setStatus(
  parts: DeliveryParts,
  destinationId: string,
  status: 'active' | 'paused',
  reason: string | null,
  accountId: string | undefined,
): Promise<DestinationView> {
  await readDestination(parts.db, destinationId, accountId)
  await parts.db.transaction(async (tx) => {
    const [before] = await tx.query<{ status: string }>(
      `SELECT status FROM deliver.destination WHERE destination_id = $1 AND status <> 'removed' FOR NO KEY UPDATE`,
      [destinationId],
    )
    if (!before) return
    await tx.execute(
      `UPDATE deliver.destination SET status = $2, status_reason = $3, failures = 0, failure = NULL, retry_at = NULL,
         answered_rows = 0, rejected_rows = 0
       WHERE destination_id = $1`,
      [destinationId, status, reason],
    )
    if (status === 'active') {
      await reopenLimiter(tx, destinationId)
      await dueAtOnce(tx, destinationId)
    }
    const event = eventOf(before.status, status)
    if (event) await announceOfDestination(tx, destinationId, event, {})
  })
  return viewOf(parts, await readDestination(parts.db, destinationId))
}
