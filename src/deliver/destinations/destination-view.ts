/**
 * Destinations as commands and routes show them: settings decrypted, secrets hidden, the reason for a hold-up as a
 * sentence.
 */
import { revisionOf } from '../../db/revision.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import {
  type DeliveryParts,
  type DestinationRow,
  destinationColumns,
  findConnector,
  readDestination,
} from './open-destination.ts'
import { openSettings, unreadableSettings } from './settings-cipher.ts'
import { sharingNotice } from './shared-account.ts'

/** What commands and routes print. */
export interface DestinationView {
  readonly destination_id: string
  readonly user_id: string
  readonly type: string
  readonly name: string
  /** `broken` ones are retried automatically. */
  readonly status: DestinationRow['status']
  readonly status_reason: string | null
  readonly deliver: string
  /** Share of the CRM account's daily calls that is left to the customer's other programs. */
  readonly customer_share: number
  /** Most leads in one push; null: the connector's maximum. */
  readonly batch_size: number | null
  /** What the CRM was seen to accept at once; null if no push was ever too large. */
  readonly learned_batch_size: number | null
  /** Hours of the day in India in which leads are sent; null: all. */
  readonly hours: string | null
  /** Share of rejected leads at which the destination pauses; null: never. */
  readonly pause_at_rejected: number | null
  /** `fresh` destinations receive what imports change. */
  readonly keep: DestinationRow['keep']
  /** Match score from which an existing record is adopted; null: never. */
  readonly adopt_from: number | null
  /** Match score from which a person is asked; null: never. */
  readonly ask_from: number | null
  /** The CRM account as the CRM itself names it; null before the first contact. */
  readonly remote_account: string | null
  /** A hint for the person who connected it; null if there is none. */
  readonly notice: string | null
  /** Of the last session with the CRM; null if it succeeded. */
  readonly failure: DestinationRow['failure']
  /** No call is made before then. */
  readonly retry_at: string | null
  /** Secrets read `[hidden]`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Changes with everything that people edit. Renewed secrets do not count, since CRMs rotate theirs. */
  readonly revision: string
  readonly created_at: string
  readonly set_up_at: string | null
}

export async function listDestinations(parts: DeliveryParts, accountId?: string): Promise<DestinationView[]> {
  if (accountId !== undefined && !isUuid(accountId)) return []
  const rows = await parts.db.query<DestinationRow>(
    sql`SELECT ${destinationColumns} FROM deliver.destination
     WHERE status <> 'removed' AND ($1::uuid IS NULL OR account_id = $1)
     ORDER BY created_at, destination_id`,
    [accountId ?? null],
  )
  return rows.map((row) => viewOf(parts, row))
}

/** @throws AppError NOT_FOUND */
export async function showDestination(
  parts: DeliveryParts,
  destinationId: string,
  accountId?: string,
): Promise<DestinationView> {
  return viewOf(parts, await readDestination(parts.db, destinationId, accountId))
}

/** A destination whose settings cannot be decrypted is shown as broken, so that the others can still be listed. */
export function viewOf(parts: DeliveryParts, row: DestinationRow): DestinationView {
  const { settings, fault, opens } = shownSettings(parts, row)
  return {
    destination_id: row.destinationId,
    user_id: row.accountId,
    type: row.connector,
    name: row.name,
    status: opens ? row.status : 'broken',
    status_reason: opens ? (row.statusReason ?? fault) : fault,
    deliver: row.deliver,
    customer_share: row.customerShare,
    batch_size: row.batchSize,
    learned_batch_size: row.learnedBatchSize,
    hours: row.hours,
    pause_at_rejected: row.pauseAtRejected,
    keep: row.keep,
    adopt_from: row.adoptFrom,
    ask_from: row.askFrom,
    remote_account: row.verifiedAccount,
    notice: sharingNotice(row),
    failure: row.failure,
    retry_at: row.retryAt?.toISOString() ?? null,
    settings,
    revision: revisionOf([...termsOf(row), settings]),
    created_at: row.createdAt.toISOString(),
    set_up_at: row.setUpAt?.toISOString() ?? null,
  }
}

const termsOf = (row: DestinationRow): readonly unknown[] => [
  ...[row.name, row.deliver, row.customerShare, row.batchSize, row.hours],
  ...[row.pauseAtRejected, row.keep, row.adoptFrom, row.askFrom],
]

interface ShownSettings {
  readonly settings: Readonly<Record<string, unknown>>
  readonly fault: string | null
  readonly opens: boolean
}

/**
 * Stored settings that the connector no longer accepts are shown with their fault instead of failing the whole list.
 */
function shownSettings({ connectors, secretKey }: DeliveryParts, row: DestinationRow): ShownSettings {
  const opened = openSettings(row.settings, row, secretKey)
  if (opened === undefined) return { settings: {}, fault: unreadableSettings(row.settings, row), opens: false }
  try {
    const { values, secretNames } = findConnector(connectors, row.connector).readSettings(opened)
    const shown = Object.entries(values).map(([name, value]) => [name, secretNames.includes(name) ? '[hidden]' : value])
    return { settings: Object.fromEntries(shown), fault: null, opens: true }
  } catch (error) {
    if (!(error instanceof AppError) || error.extra['faults'] === undefined) throw error
    return { settings: {}, fault: error.message, opens: true }
  }
}
