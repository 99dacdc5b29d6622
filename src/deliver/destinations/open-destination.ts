/** Opens a session with a stored destination's CRM: settings decrypted, connector found, calls rate-limited. */
import type { CallGate } from '../../../connectors/call-gate.ts'
import type { Connector, ConnectorSettings, CrmSession, RowWrite } from '../../../connectors/contract.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Secret } from '../../domain/secret.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { createLimiter, type Limiter } from '../lease/limiter.ts'
import type { FieldMapping } from './field-mapping.ts'
import type { Keep } from './keep.ts'
import { createRenewal } from './renew-settings.ts'
import { decryptSettings } from './settings-cipher.ts'
import { sharingNames } from './shared-account.ts'
import type { Thresholds } from './thresholds.ts'

export interface DeliveryParts {
  readonly db: Db
  readonly connectors: readonly Connector[]
  readonly secretKey: Secret
}

export interface KeptTerms {
  /** When paid orders are delivered there: see deliver-when.ts. */
  readonly deliver: string
  /** Share of the CRM account's daily calls that is left to the customer's other programs. */
  readonly customerShare: number
  /** Most leads in one push as the customer set it; null: the connector's maximum. */
  readonly batchSize: number | null
  /** Hours of the day in India, `20:00-06:00`; null: all. */
  readonly hours: string | null
  /** Share of rejected leads at which the destination pauses; null: never. */
  readonly pauseAtRejected: number | null
  /** Whether its records follow later changes of the registers: see keep.ts. */
  readonly keep: Keep
  /** Match scores from which an existing record is adopted, or a person asked: see thresholds.ts. */
  readonly adoptFrom: number | null
  readonly askFrom: number | null
}

export interface DestinationRow extends KeptTerms {
  readonly destinationId: string
  readonly accountId: string
  readonly connector: string
  readonly name: string
  readonly settings: Buffer
  readonly status: 'active' | 'paused' | 'broken'
  readonly statusReason: string | null
  readonly createdAt: Date
  readonly setUpAt: Date | null
  /** What the CRM was seen to accept at once; null if no push was ever too large. */
  readonly learnedBatchSize: number | null
  /** The CRM account as the CRM itself names it; null before the first contact. */
  readonly verifiedAccount: string | null
  /** Names of the account's other destinations that lead into the same CRM account. */
  readonly sharedWith: readonly string[]
  /** Of the last session with the CRM; null if it succeeded. */
  readonly failure: { readonly code: string; readonly message: string; readonly at: string } | null
  /** No call is made before then. */
  readonly retryAt: Date | null
  /** Overrides of the connector's mapping for single fields. */
  readonly mapping: readonly FieldMapping[]
}

export interface OpenDestination {
  readonly mapping: readonly FieldMapping[]
  readonly connector: Connector
  readonly session: CrmSession
  readonly limiter: Limiter
  /** Most leads in one push, if less than the connector accepts. */
  readonly batchSize: number | null
  readonly thresholds: Thresholds
  /** What was sent for each row in flight, by external id; the caller that stores the reply removes the entry. */
  readonly written: Map<string, RowWrite>
}

export const destinationColumns = sql`
  destination_id AS "destinationId", account_id AS "accountId", connector, name, settings_encrypted AS settings, status,
  status_reason AS "statusReason", created_at AS "createdAt", set_up_at AS "setUpAt", deliver,
  customer_share AS "customerShare", batch_size AS "batchSize", learned_batch_size AS "learnedBatchSize", hours, pause_at_rejected AS "pauseAtRejected", keep,
  adopt_from AS "adoptFrom", ask_from AS "askFrom",
  verified_account AS "verifiedAccount", ${sharingNames} AS "sharedWith", failure, retry_at AS "retryAt", mapping`

/**
 * @param lock keeps the row until the transaction ends. Not `FOR UPDATE`: a push that inserts records of the destination
 * would wait for it with records locked that the holder is about to lock.
 * @throws AppError NOT_FOUND, also for a removed destination and, if `accountId` is given, for one of another account.
 */
export async function readDestination(
  db: Queryable,
  destinationId: string,
  accountId?: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<DestinationRow> {
  const [row] = isUuid(destinationId)
    ? await db.query<DestinationRow>(
        sql`SELECT ${destinationColumns} FROM deliver.destination
         WHERE destination_id = $1 AND status <> 'removed' AND ($2::uuid IS NULL OR account_id = $2) ${lock}`,
        [destinationId, accountId ?? null],
      )
    : []
  if (!row) throw new AppError('NOT_FOUND', `There is no destination ${destinationId}.`)
  return row
}

/** @throws AppError DESTINATION_INVALID naming the connectors that exist. */
export function findConnector(connectors: readonly Connector[], name: string): Connector {
  const found = connectors.find((connector) => connector.name === name)
  if (found) return found
  const names = connectors.map((connector) => connector.name).join(', ')
  throw new AppError('DESTINATION_INVALID', `There is no connector ${name}; choose one of: ${names}.`)
}

export function readSettings(parts: DeliveryParts, row: DestinationRow): ConnectorSettings {
  const connector = findConnector(parts.connectors, row.connector)
  return connector.readSettings(decryptSettings(row.settings, row, parts.secretKey))
}

/** @param mayCall runs before every call to the CRM; throws if no call may be made any more. */
export function openDestination(
  parts: DeliveryParts,
  row: DestinationRow,
  signal: AbortSignal,
  mayCall?: () => Promise<void>,
): OpenDestination {
  const { db } = parts
  const connector = findConnector(parts.connectors, row.connector)
  const settings = readSettings(parts, row)
  const { callsPerSecond } = connector
  // Until the CRM has named the account, the limiter is keyed by this customer's settings, so that a typed account
  // name cannot slow down others.
  const remoteAccount = row.verifiedAccount
    ? `${row.connector}:${row.verifiedAccount}`
    : `${row.accountId}/${settings.remoteAccount}`
  const limiter = createLimiter(db, { remoteAccount, callsPerSecond, customerShare: row.customerShare })
  const gate: CallGate = {
    async take(calls, ending) {
      await mayCall?.()
      await limiter.take(calls, ending)
    },
    observe: (report) => limiter.observe(report),
  }
  const batchSize = smaller(row.batchSize, row.learnedBatchSize)
  const renewSettings = createRenewal(parts, row)
  const written = new Map<string, RowWrite>()
  const reportWrite = (externalId: string, write: RowWrite) => void written.set(externalId, write)
  const reportJoin = (externalId: string, field: string, value: string) => {
    const { sent, before } = written.get(externalId) ?? { sent: {}, before: {} }
    const joined = sent[field] === undefined ? value : `${String(sent[field])}; ${value}`
    written.set(externalId, { sent: { ...sent, [field]: joined }, before })
  }
  const batch = batchSize ?? undefined
  return {
    mapping: row.mapping,
    connector,
    limiter,
    batchSize,
    written,
    thresholds: row,
    session: connector.open(settings, { gate, signal, renewSettings, reportWrite, reportJoin, batchSize: batch }),
  }
}

function smaller(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
