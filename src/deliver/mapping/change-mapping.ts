/**
 * Checks a destination's mapping against the CRM's own fields, previews it on the account's newest leads, and saves
 * it. Rejected leads are sent again with it; delivered ones follow with their next change, or at once on request.
 */

import { leadColumns } from '../../../config/lead-columns.ts'
import type { CrmField, CrmSession, OutgoingLead } from '../../../connectors/contract.ts'
import { labelOf } from '../../../connectors/listed-value.ts'
import type { Db } from '../../db/db.ts'
import { requireRevision, revisionOf } from '../../db/revision.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import { requireNoApproval } from '../destinations/deliver-when.ts'
import { type FieldMapping, withOverrides } from '../destinations/field-mapping.ts'
import {
  type DeliveryParts,
  type DestinationRow,
  openDestination,
  readDestination,
} from '../destinations/open-destination.ts'
import { foreseeTurns } from '../destinations/turns.ts'
import { retryDeliveries } from '../record/retry.ts'
import { resendWithin } from '../resend/resend.ts'
import { faultOfValue, faultsOfMapping } from './check-mapping.ts'
import { readVersion, type SavedBy, saveVersion } from './versions.ts'

export interface MappingSample {
  /** `gst:GSTIN`, `company:CIN`, `director:DIN`. */
  readonly record: string
  /** The lead's name as it was ordered. */
  readonly name: string
  /** The mapped values; null: not written. */
  readonly fields: readonly { readonly field: string; readonly value: string | null; readonly fault: string | null }[]
  /** What Panji puts into the other fields; fields that get nothing are absent. */
  readonly unmapped: readonly { readonly field: string; readonly value: string }[]
}

export interface MappingPreview {
  /** Sentences; empty if the mapping can be saved. */
  readonly faults: readonly string[]
  readonly sample: readonly MappingSample[]
  /** The CRM's fields that a mapping may fill. */
  readonly crm_fields: readonly CrmField[]
  /** The lead's columns, by the names used in a mapping. */
  readonly columns: readonly string[]
}

const sampleSize = 3

/** Saves nothing. @throws AppError NOT_FOUND, DESTINATION_INVALID, and what the connector throws. */
export async function previewMapping(
  parts: DeliveryParts,
  destinationId: string,
  mapping: readonly FieldMapping[] | undefined,
  signal: AbortSignal,
  accountId?: string,
): Promise<MappingPreview> {
  const row = await readDestination(parts.db, destinationId, accountId)
  const { connector, session, limiter } = openDestination(parts, row, signal)
  if (connector.heedsOverrides !== true) {
    throw new AppError(
      'DESTINATION_INVALID',
      `Destinations of the kind ${row.connector} do not support a mapping of their own`,
    )
  }
  const crmFields = await session.describe()
  const candidate = mapping ?? row.mapping
  const sample = await readSample(parts.db, { row, session, mapping: candidate, crmFields })
  await limiter.flush()
  return {
    faults: faultsOfMapping(candidate, crmFields, connector.notOffered),
    sample,
    crm_fields: crmFields.filter(({ isIdentity }) => isIdentity !== true).map(namesJoined),
    columns: [...new Set(Object.values(leadColumns).flatMap((columns) => columns.map((column) => column.name)))],
  }
}

/** Lists, campaigns and tags are shown by name: a mapping accepts names as well as ids. */
const namesJoined = (field: CrmField): CrmField =>
  field.isJoined && field.allowed !== null
    ? { ...field, allowed: field.allowed.map((each) => labelOf(field, each)) }
    : field

/** @throws AppError DESTINATION_INVALID with the faults in `extra.faults`, and as previewMapping. */
export async function requireFit(
  parts: DeliveryParts,
  { destinationId, mapping }: { readonly destinationId: string; readonly mapping: readonly FieldMapping[] },
  signal: AbortSignal,
  accountId?: string,
): Promise<MappingPreview> {
  const preview = await previewMapping(parts, destinationId, mapping, signal, accountId)
  if (preview.faults.length === 0) return preview
  throw new AppError('DESTINATION_INVALID', `The mapping has faults: ${preview.faults.join('; ')}`, {
    extra: { faults: preview.faults },
  })
}

export interface MappingToSave {
  readonly destinationId: string
  /** Or the number of an earlier version. */
  readonly mapping: readonly FieldMapping[] | number
  readonly resend: boolean
  readonly by: SavedBy
  /** The revision that the caller read; without it, the change applies to any revision. */
  readonly read?: string | undefined
}

/**
 * @throws AppError as requireFit, NOT_FOUND if there is no such version, and CONFLICT if the mapping changed since
 * `read`, or to resend to a destination that delivers approved plans only.
 */
export async function saveMapping(
  parts: DeliveryParts,
  queue: JobSender,
  { destinationId, mapping: requested, resend, by, read }: MappingToSave,
  signal: AbortSignal,
  accountId?: string,
): Promise<MappingPreview> {
  const requireSavable = ({ mapping, deliver }: DestinationRow) => {
    requireRevision('The mapping was', revisionOf(mapping), read)
    if (resend) requireNoApproval(deliver, 'save the mapping, plan the resend, then send with its hash')
  }
  // Checked before the CRM is called, and again once the row is locked.
  requireSavable(await readDestination(parts.db, destinationId, accountId))
  const mapping = typeof requested === 'number' ? await readVersion(parts.db, destinationId, requested) : requested
  const preview = await requireFit(parts, { destinationId, mapping }, signal, accountId)
  await parts.db.transaction(async (tx) => {
    requireSavable(await readDestination(tx, destinationId, accountId, 'FOR NO KEY UPDATE'))
    await tx.execute(
      // A worker that still delivers with the old mapping loses the lease.
      `UPDATE deliver.destination SET mapping = $2, leased_to = NULL, leased_until = NULL WHERE destination_id = $1 AND status <> 'removed'`,
      [destinationId, JSON.stringify(mapping)],
    )
    // All that changes below is locked at once, in the order of all writers.
    await tx.query(
      `SELECT count(*) FROM (SELECT FROM deliver.record WHERE destination_id = $1 AND ($2 OR state <> 'acknowledged')
         ORDER BY external_id FOR UPDATE) AS held`,
      [destinationId, resend],
    )
    // What is in flight, for a long time in a job, was sent with the old one: nothing equal is desired any more.
    await tx.execute(`UPDATE deliver.record SET desired_sha256 = '' WHERE destination_id = $1 AND state = 'sending'`, [
      destinationId,
    ])
    await saveVersion(tx, destinationId, {
      mapping,
      by,
      restoredFrom: typeof requested === 'number' ? requested : null,
    })
    if (resend) await resendWithin(tx, queue, { destinationId })
    else await retryDeliveries(tx, queue, { destinationId, isUnasked: true })
  })
  return preview
}

interface SampleParts {
  readonly row: DestinationRow
  readonly session: CrmSession
  readonly mapping: readonly FieldMapping[]
  readonly crmFields: readonly CrmField[]
}

interface NamedLead extends OutgoingLead {
  readonly name: string
}

function newestLeads(db: Db, { accountId }: DestinationRow): Promise<NamedLead[]> {
  return db
    .query<NamedLead>(
      `SELECT lead.item_id AS "itemId", item.name, lead.type || ':' || lead.identifier AS "externalId", lead.type, lead.flat AS row,
         NULL AS "lastPushed", NULL AS "crmId"
       FROM orders.lead JOIN orders.item USING (item_id) JOIN orders.purchase ON purchase.order_id = lead.order_id
       WHERE purchase.account_id = $1 AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
       ORDER BY lead.built_at DESC, lead.position LIMIT $2`,
      [accountId, sampleSize],
    )
    .then((leads) => withholdFromLeads(db, leads))
}

async function readSample(db: Db, { row, session, mapping, crmFields }: SampleParts): Promise<MappingSample[]> {
  const byName = new Map(crmFields.map((field) => [field.name, field]))
  const turns = foreseeTurns(db, row.destinationId)
  const leads = await withOverrides(await newestLeads(db, row), mapping, turns)
  const filled = (await session.fill?.(leads)) ?? []
  return leads.map(({ externalId, name, overrides = [] }, n) => {
    const fields = overrides.flatMap(({ field, value }) => {
      if (value === undefined) return []
      const known = byName.get(field)
      return [{ field, value, fault: known && value !== null ? (faultOfValue(known, value)[0] ?? null) : null }]
    })
    const unmapped = Object.entries(filled[n]?.values ?? {}).flatMap(([field, value]) => {
      const isShown = value !== '' && byName.get(field)?.isIdentity !== true
      return isShown && !fields.some((each) => each.field === field) ? [{ field, value: String(value) }] : []
    })
    return { record: externalId, name, fields, unmapped }
  })
}
