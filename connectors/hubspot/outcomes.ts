/**
 * Reads the result of each row from the reply to a batch upsert. A row is matched by its trace id or its external id,
 * never by position: HubSpot may leave rows out of both lists, and those are `silent`.
 */
import type { OutgoingLead } from '../contract.ts'
import { idProperty } from './mapping.ts'
import type { BatchReply, CrmFault, CrmRecord } from './replies.ts'

/** A lead with the properties to send for it. */
export interface RowWrite {
  readonly lead: OutgoingLead
  readonly properties: Readonly<Record<string, string>>
  /** The new `lastPushed` once HubSpot confirms the row. */
  readonly values: Readonly<Record<string, unknown>>
  /** The record's values, if it was read. */
  readonly present: Readonly<Record<string, unknown>> | null
  /** Properties that were removed because the account no longer has them. */
  readonly leftOut: readonly string[]
  /** Properties whose values were not accepted because an administrator changed them. */
  readonly unfit: readonly string[]
  /** True if it was already sent again after a conflict. */
  readonly retried: boolean
}

export type RowVerdict =
  | { readonly kind: 'saved'; readonly record: CrmRecord }
  | { readonly kind: 'refused'; readonly fault: CrmFault }
  | { readonly kind: 'silent' }

/** How a row is identified in a reply. */
interface Named {
  readonly lead: Pick<OutgoingLead, 'itemId' | 'externalId'>
}

export function verdictsOf<Row extends Named>(
  rows: readonly Row[],
  reply: BatchReply,
): readonly (readonly [Row, RowVerdict])[] {
  const saved = new Map<string, CrmRecord>()
  for (const record of reply.results) for (const key of keysOfRecord(record)) saved.set(key, record)
  const refused = new Map<string, CrmFault>()
  for (const fault of reply.errors) for (const key of keysOfFault(fault)) refused.set(key, fault)
  return rows.map((row) => {
    const keys = [`trace ${row.lead.itemId}`, idKey(row.lead.externalId)]
    const record = find(saved, keys)
    if (record) return [row, { kind: 'saved', record }]
    const fault = find(refused, keys)
    return [row, fault ? { kind: 'refused', fault } : { kind: 'silent' }]
  })
}

/** HubSpot compares unique values ignoring case. */
function idKey(externalId: string): string {
  return `id ${externalId.toLowerCase()}`
}

function keysOfRecord({ objectWriteTraceId, properties }: CrmRecord): string[] {
  const externalId = properties[idProperty]
  return [...(objectWriteTraceId ? [`trace ${objectWriteTraceId}`] : []), ...(externalId ? [idKey(externalId)] : [])]
}

function keysOfFault({ context }: CrmFault): string[] {
  const list = (name: string) => {
    const value = context?.[name] ?? []
    return typeof value === 'string' ? value.replace(/^\[|\]$/g, '').split(/,\s*/) : value
  }
  return [...list('objectWriteTraceId').map((id) => `trace ${id}`), ...list('ids').map(idKey)]
}

function find<T>(map: ReadonlyMap<string, T>, keys: readonly string[]): T | undefined {
  for (const key of keys) {
    const value = map.get(key)
    if (value !== undefined) return value
  }
  return undefined
}
