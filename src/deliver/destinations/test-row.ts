/**
 * Sends one invented row into the CRM, reads it back there and deletes it again, as a trial before the first order.
 * No registry issues its identifier, so it matches no lead. Each run writes a new row.
 */
import { leadColumns } from '../../../config/lead-columns.ts'
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import { withOverrides } from './field-mapping.ts'
import { type DeliveryParts, openDestination, readDestination } from './open-destination.ts'
import { setUp } from './set-up.ts'
import { foreseeTurns } from './turns.ts'

export interface TestRow {
  readonly ok: boolean
  readonly outcome: PushOutcome['status']
  /** As the CRM returned them if it rejected the row. */
  readonly code: string | null
  readonly field: string | null
  readonly message: string | null
  readonly crm_id: string | null
  /** What the CRM reports, by its own fields. */
  readonly fields: Readonly<Record<string, unknown>>
  /** False if the CRM kept the row; it may be deleted by hand. */
  readonly removed: boolean
}

/** No state has the code 00. */
const gstin = '00PANJI0000T1Z0'
const cells: Readonly<Record<string, string>> = {
  Last_Name: 'Test row',
  Company: 'Panji test row',
  Email: 'test-row@panji.example.com',
  City: 'Panaji',
  State: 'Goa',
  Zip_Code: '403001',
  Country: 'India',
  Lead_Source: 'Panji',
  LegalName: 'Panji test row',
  GSTIN: gstin,
}
const testLead: OutgoingLead = {
  itemId: 'test-row',
  externalId: `gst:${gstin}`,
  type: 'gst',
  row: Object.fromEntries(leadColumns.gst.map(({ name }) => [name, cells[name] ?? null])),
  lastPushed: null,
  crmId: null,
}

/** @throws AppError NOT_FOUND, DESTINATION_INVALID where the CRM is not ready, and what the connector throws. */
export async function sendTestRow(
  parts: DeliveryParts,
  destinationId: string,
  signal: AbortSignal,
  accountId?: string,
): Promise<TestRow> {
  const row = await readDestination(parts.db, destinationId, accountId)
  const open = openDestination(parts, row, signal)
  await setUp(parts.db, row, open)
  const { session, limiter } = open
  const [outcome] = await session.push(
    await withOverrides([testLead], row.mapping, foreseeTurns(parts.db, destinationId)),
  )
  const found = (await session.lookup([testLead.externalId])).get(testLead.externalId)
  const erased = await session.erase([testLead.externalId])
  await limiter.flush()
  const refusal = outcome?.status === 'rejected' || outcome?.status === 'deferred' ? outcome : null
  const unclear = outcome?.status === 'unknown' ? outcome.message : null
  return {
    ok: found !== undefined && refusal === null && unclear === null,
    outcome: outcome?.status ?? 'unknown',
    code: refusal?.code ?? null,
    field: refusal?.field ?? null,
    message: refusal?.message ?? unclear,
    crm_id: found?.crmId ?? null,
    fields: found?.values ?? {},
    removed: found === undefined || erased > 0,
  }
}
