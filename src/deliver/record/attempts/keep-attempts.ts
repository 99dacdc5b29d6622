/**
 * Stores what was sent for each lead and what the CRM answered, for a month, so that people can see how a row reached
 * its state. One statement per batch. It never contains credentials: a connector reports the members of a row and
 * nothing of its calls.
 */
import type { OutgoingLead, PushOutcome, RowWrite } from '../../../../connectors/contract.ts'
import type { Queryable } from '../../../db/db.ts'
import { sqlFile } from '../../../db/sql-file.ts'

const keepSql = sqlFile(import.meta.url, 'keep.sql')

/** By external id; a lead that is missing was not sent. */
export type Written = ReadonlyMap<string, RowWrite>

/** Longer texts are cut: the beginning is enough. */
const textMax = 2_000

/** Removes from `written` what was sent for these leads and returns it. */
export function takeWritten(written: Map<string, RowWrite>, leads: readonly OutgoingLead[]): Written {
  const writes = new Map<string, RowWrite>()
  for (const { externalId } of leads) {
    const write = written.get(externalId)
    if (write === undefined) continue
    writes.set(externalId, write)
    written.delete(externalId)
  }
  return writes
}

export async function keepAttempts(
  tx: Queryable,
  destinationId: string,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
  written: Written,
): Promise<void> {
  const rows = leads.map(({ externalId, itemId }, n) => ({
    ...{ external_id: externalId, item_id: itemId, ...answerOf(outcomes[n]) },
    ...storedFields(outcomes[n], written.get(externalId)),
  }))
  if (rows.length > 0) await tx.execute(keepSql, [JSON.stringify(rows), destinationId])
}

function answerOf(outcome: PushOutcome | undefined): object {
  switch (outcome?.status) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return { status: outcome.status, crm_id: outcome.crmId, ...outcome.leftOut }
    case 'rejected':
    case 'deferred':
      return { status: outcome.status, code: outcome.code, field: outcome.field, message: outcome.message }
    case 'unknown':
      return { status: 'unknown', message: outcome.message }
    case undefined:
      return { status: 'unknown', message: 'the connector returned no outcome' }
  }
}

/**
 * For a new record the ledger has just stored what was sent, so it is not passed again: for a large order that saves
 * memory.
 */
function storedFields(outcome: PushOutcome | undefined, write: RowWrite | undefined) {
  if (write === undefined) return { fields: null }
  const { sent, before } = write
  return isNoted(outcome, write)
    ? { is_whole: true }
    : { fields: { sent: cut(sent), before: before === null ? null : cut(before) } }
}

const isNoted = (outcome: PushOutcome | undefined, { sent, before }: RowWrite): boolean =>
  outcome?.status === 'created' &&
  before === null &&
  Object.keys(sent).length === Object.keys(outcome.values).length &&
  Object.entries(sent).every(([field, value]) => outcome.values[field] === value && !isLong(value))

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > textMax

function cut(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.values(values).some(isLong)) return values
  const shortened = Object.entries(values).map(([field, value]) => [
    field,
    isLong(value) ? `${value.slice(0, textMax)}…` : value,
  ])
  return Object.fromEntries(shortened)
}
