/** Destinations of an account: added with checked settings, shown without secrets, paused, resumed, removed, tested. */
import { randomUUID } from 'node:crypto'
import type { Connector } from '../../connectors/contract.ts'
import type { Db } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../quotas/quota-account.ts'
import { requireRoom } from '../quotas/stored-quota.ts'
import { sealingKey } from '../secrets/canary.ts'
import {
  type DeliveryParts,
  type DestinationRow,
  destinationColumns,
  findConnector,
  openDestination,
  readDestination,
} from './open-destination.ts'
import { encryptSettings, openSettings, unreadableSettings } from './settings-cipher.ts'

/** What commands and routes print. */
export interface DestinationView {
  readonly destination_id: string
  readonly user_id: string
  readonly type: string
  readonly name: string
  readonly status: DestinationRow['status']
  readonly status_reason: string | null
  /** Secrets read `[hidden]`. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly set_up_at: string | null
}

export interface NewDestination {
  readonly accountId: string
  /** A name of connectors/index.ts. */
  readonly connector: string
  readonly name: string
  readonly settings: unknown
}

export interface DestinationCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** @throws AppError DESTINATION_INVALID, NOT_FOUND (the account), CONFLICT (the name is taken), QUOTA_EXCEEDED. */
export async function addDestination(
  db: Db,
  connectors: readonly Connector[],
  secretKey: Secret,
  given: NewDestination,
): Promise<DestinationView> {
  const connector = findConnector(connectors, given.connector)
  const settings = connector.readSettings(given.settings)
  const name = given.name.trim()
  if (name === '' || name.length > 100) {
    throw new AppError('DESTINATION_INVALID', 'The name of a destination has 1 to 100 characters')
  }
  const { accountId } = given
  if (!isUuid(accountId)) throw new AppError('NOT_FOUND', `There is no account ${accountId}`)
  const destinationId = randomUUID()
  const [row] = await db.transaction(async (tx) => {
    await requireRoom(tx, await holdQuotaAccount(tx, accountId), 'destinations', 1)
    const stored = encryptSettings(settings.values, { destinationId, accountId }, await sealingKey(tx, secretKey))
    // The unique index on (account, name) decides between two that are added at once.
    return tx.query<DestinationRow>(
      `INSERT INTO deliver.destination (destination_id, account_id, connector, name, settings_encrypted, remote_account)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account_id, name) WHERE status <> 'removed' DO NOTHING
       RETURNING ${destinationColumns}`,
      [destinationId, accountId, connector.name, name, stored, settings.remoteAccount],
    )
  })
  if (!row) throw new AppError('CONFLICT', `The account already has a destination named ${name}`)
  return viewOf({ db, connectors, secretKey }, row)
}

export async function listDestinations(parts: DeliveryParts, accountId?: string): Promise<DestinationView[]> {
  if (accountId !== undefined && !isUuid(accountId)) return []
  const rows = await parts.db.query<DestinationRow>(
    `SELECT ${destinationColumns} FROM deliver.destination
     WHERE status <> 'removed' AND ($1::uuid IS NULL OR account_id = $1)
     ORDER BY created_at, destination_id`,
    [accountId ?? null],
  )
  return rows.map((row) => viewOf(parts, row))
}

/** New credentials or mapping for a destination that stays the same one, with its ledger. @throws as addDestination. */
export async function renewSettings(parts: DeliveryParts, destinationId: string, given: unknown): Promise<void> {
  const row = await readDestination(parts.db, destinationId)
  const settings = findConnector(parts.connectors, row.connector).readSettings(given)
  await parts.db.transaction(async (tx) => {
    const stored = encryptSettings(settings.values, row, await sealingKey(tx, parts.secretKey))
    await tx.execute(
      'UPDATE deliver.destination SET settings_encrypted = $2, remote_account = $3 WHERE destination_id = $1',
      [destinationId, stored, settings.remoteAccount],
    )
  })
}

/** A paused destination takes no pushes; those under way stop before their next batch. */
export function pauseDestination(parts: DeliveryParts, destinationId: string): Promise<DestinationView> {
  return setStatus(parts, destinationId, 'paused', 'paused by request')
}

export function resumeDestination(parts: DeliveryParts, destinationId: string): Promise<DestinationView> {
  return setStatus(parts, destinationId, 'active', null)
}

/** The row stays for its ledger; the credentials are gone. */
export async function removeDestination(parts: DeliveryParts, destinationId: string): Promise<DestinationView> {
  const row = await readDestination(parts.db, destinationId)
  const view = viewOf(parts, row)
  await parts.db.execute(
    `UPDATE deliver.destination SET status = 'removed', status_reason = NULL, settings_encrypted = ''
     WHERE destination_id = $1`,
    [destinationId],
  )
  return view
}

/**
 * Signs in, sets up, reads the fields. @throws the connector's AppError where the CRM refuses; `ok` is false where a
 * person has something to do first.
 */
export async function testDestination(
  parts: DeliveryParts,
  destinationId: string,
  signal: AbortSignal,
): Promise<{ readonly ok: boolean; readonly checks: readonly DestinationCheck[] }> {
  const row = await readDestination(parts.db, destinationId)
  const { session, limiter } = openDestination(parts, row, signal)
  const report = await session.setup()
  const fields = await session.describe()
  const limits = await session.limits()
  await limiter.flush()
  const ready = report.todo.length === 0
  if (ready) await markSetUp(parts.db, destinationId)
  const quota = limits.dailyLimit === null ? 'not reported' : `${limits.dailyUsed} of ${limits.dailyLimit} calls used`
  const checks = [
    { name: 'sign-in', ok: true, detail: 'the credentials are accepted' },
    {
      name: 'set-up',
      ok: ready,
      detail: ready ? [...report.created, ...report.present].join(', ') : report.todo.join(' '),
    },
    { name: 'fields', ok: fields.length > 0, detail: `${fields.length} fields can be written` },
    { name: 'quota', ok: true, detail: quota },
  ]
  return { ok: checks.every(({ ok }) => ok), checks }
}

export async function markSetUp(db: Db, destinationId: string): Promise<void> {
  await db.execute('UPDATE deliver.destination SET set_up_at = now() WHERE destination_id = $1', [destinationId])
}

async function setStatus(
  parts: DeliveryParts,
  destinationId: string,
  status: 'active' | 'paused',
  reason: string | null,
): Promise<DestinationView> {
  await readDestination(parts.db, destinationId)
  await parts.db.execute(
    `UPDATE deliver.destination SET status = $2, status_reason = $3 WHERE destination_id = $1 AND status <> 'removed'`,
    [destinationId, status, reason],
  )
  return viewOf(parts, await readDestination(parts.db, destinationId))
}

/** One whose settings do not open is shown as broken, so that the others can still be seen. */
function viewOf(parts: DeliveryParts, row: DestinationRow): DestinationView {
  const { settings, fault, opens } = shownSettings(parts, row)
  return {
    destination_id: row.destinationId,
    user_id: row.accountId,
    type: row.connector,
    name: row.name,
    status: opens ? row.status : 'broken',
    status_reason: row.statusReason ?? fault,
    settings,
    created_at: row.createdAt.toISOString(),
    set_up_at: row.setUpAt?.toISOString() ?? null,
  }
}

interface ShownSettings {
  readonly settings: Readonly<Record<string, unknown>>
  readonly fault: string | null
  readonly opens: boolean
}

/** Stored settings that the connector no longer takes are named; they neither hide the others nor stay for ever. */
function shownSettings({ connectors, secretKey }: DeliveryParts, row: DestinationRow): ShownSettings {
  const opened = openSettings(row.settings, row, secretKey)
  if (opened === undefined) return { settings: {}, fault: unreadableSettings(row), opens: false }
  try {
    const { values, secretNames } = findConnector(connectors, row.connector).readSettings(opened)
    const shown = Object.entries(values).map(([name, value]) => [name, secretNames.includes(name) ? '[hidden]' : value])
    return { settings: Object.fromEntries(shown), fault: null, opens: true }
  } catch (error) {
    if (!(error instanceof AppError) || error.extra['faults'] === undefined) throw error
    return { settings: {}, fault: error.message, opens: true }
  }
}
